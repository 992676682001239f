def make(r):
    n = r.n(1, 12000)
    return [[n, r.choice([r.one(0, 10**12), r.randint(0, 30)])], r.values(n, 0, 10**9)]


def valid(t):
    n, _ = t.fields((1, 12000), (0, 10**12))
    t.row(n, 0, 10**9)
