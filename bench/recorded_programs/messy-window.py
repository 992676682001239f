def make(r):
    n = r.n(1, 20000, 12)
    return [[n, r.choice([1, n, r.randint(1, n), max(1, n // 2)])], r.values(n, 0, 10**9)]


def valid(t):
    n, k = t.fields((1, 20000), (1, 20000))
    assert k <= n
    t.row(n, 0, 10**9)
