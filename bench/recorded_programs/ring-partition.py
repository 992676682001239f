def make(r):
    n = r.n(1, 2500)
    return [[n, r.choice([1, n, r.randint(1, n), min(n, 2), min(n, 3)])], r.values(n, 1, 10**9)]


def valid(t):
    n, k = t.fields((1, 2500), (1, 2500))
    assert k <= n
    t.row(n, 1, 10**9)
