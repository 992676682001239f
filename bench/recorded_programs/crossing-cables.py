def make(r):
    n = r.n(1, 10000, 10)
    a, b = r.values(n, 0, 10**9), r.values(n, 0, 10**9)
    return [[n], *map(list, zip(a, b))]


def valid(t):
    (n,) = t.row(1, 1, 10000)
    for _ in range(n):
        t.row(2, 0, 10**9)
