def make(r):
    n = r.n(1, 7000)
    top = r.choice([4, 12, 40]) if r.kind in ("random", "against") else 10**9
    rows = []
    for index in range(n):
        left, right = sorted(r.sample(range(top + 1), 2))
        if r.kind == "largest" and r.number == 1:
            left, right = index, top - index
        rows.append([left, right, r.randint(1, top)])
    return [[n], *rows]


def valid(t):
    (n,) = t.row(1, 1, 7000)
    for _ in range(n):
        left, right, _ = t.fields((0, 10**9), (0, 10**9), (1, 10**9))
        assert left < right
