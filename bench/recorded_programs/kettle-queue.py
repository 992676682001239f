def make(r):
    n = r.n(1, 10000)
    a = sorted(r.values(n, 0, 10**9))
    return [[n, r.choice([1, n, r.randint(1, n), min(n, 2)]), r.choice([r.one(1, 10**9), r.randint(1, 9)])], a]


def valid(t):
    n, c, _ = t.fields((1, 10000), (1, 10000), (1, 10**9))
    assert c <= n
    a = t.row(n, 0, 10**9)
    assert a == sorted(a)
