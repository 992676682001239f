def make(r):
    n = r.n(1, 4000)
    m = 9000 if r.kind == "largest" else r.randint(0, 2 * n)
    pairs = r.pairs(n, m)
    k = r.randint(1, n) if r.number % 2 else min(n, r.randint(1, 3))
    first, last = r.span(1, 10**6)
    return [[n, len(pairs), k], r.sample(range(1, n + 1), k), *([*pair, r.randint(first, last)] for pair in pairs)]


def valid(t):
    n, m, k = t.fields((1, 4000), (0, 9000), (1, 4000))
    assert k <= n and len(set(t.row(k, 1, n))) == k
    for _ in range(m):
        a, b, _ = t.fields((1, n), (1, n), (1, 10**6))
        assert a != b
