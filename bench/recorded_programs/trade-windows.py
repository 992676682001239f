def make(r):
    n, q = r.n(1, 7000), r.n(1, 7000)
    (first, last), share = r.span(0, 10**9), r.choice([0, 0.3, 0.7])
    lines = []
    for at in range(q):
        if r.random() < share and at < q - 1:
            lines.append(["set", r.randint(1, n), r.randint(first, last)])
        else:
            lines.append(["best", *r.choice([sorted([r.randint(1, n), r.randint(1, n)]), [1, n]])])
    return [[n, q], r.values(n, 0, 10**9), *lines]


def valid(t):
    n, q = t.fields((1, 7000), (1, 7000))
    t.row(n, 0, 10**9)
    best = 0
    for _ in range(q):
        if t.lines[0].startswith("set"):
            t.fields("set", (1, n), (0, 10**9))
        else:
            _, left, right = t.fields("best", (1, n), (1, n))
            assert left <= right
            best += 1
    assert best
