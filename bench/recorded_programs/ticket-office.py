def make(r):
    m, n = r.n(1, 15000, 4), r.n(1, 15000, 12)
    if r.kind == "edge" or r.number % 2:
        m = r.randint(1, min(15000, n + 2))
    return [[m, n], r.values(n, 1, 10**6)]


def valid(t):
    m, n = t.fields((1, 15000), (1, 15000))
    t.row(n, 1, 10**6)
