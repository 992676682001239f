def make(r):
    n = r.n(1, 12000, 9)
    left, groups = n, []
    while left:
        groups.append(min(left, r.randint(1, max(2, n // 3))))
        left -= groups[-1]
    people = r.sample(range(1, n + 1), n)
    pairs = []
    for size in groups:
        own, people = people[:size], people[size:]
        pairs += [[a, b] for a, b in zip(own, own[1:])]
    if r.number % 3 == 2:
        pairs = r.pairs(n, r.randint(0, min(15000, 2 * n)))
    r.shuffle(pairs)
    return [[n, len(pairs), r.randint(1, n)], *pairs]


def valid(t):
    n, m, c = t.fields((1, 12000), (0, 15000), (1, 12000))
    assert c <= n
    for _ in range(m):
        a, b = t.row(2, 1, n)
        assert a != b
