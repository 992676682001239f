def make(r):
    n = r.n(1, 1500)
    return [
        [n, r.choice([1, 2, r.randint(1, 100), 100]), r.choice([0, 1, r.randint(0, 1000), 1000, r.randint(0, 5)])],
        r.values(n, 1, 10**6),
    ]


def valid(t):
    n, _, _ = t.fields((1, 1500), (1, 100), (0, 1000))
    t.row(n, 1, 10**6)
