def make(r):
    t = r.n(1, 100)
    return [[t], *([r.one(3, 10**18) if r.random() < 0.5 else r.randint(3, 12), r.one(1, 10**9)] for _ in range(t))]


def valid(t):
    (n,) = t.row(1, 1, 100)
    for _ in range(n):
        t.fields((3, 10**18), (1, 10**9))
