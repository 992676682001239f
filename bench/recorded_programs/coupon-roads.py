def make(r):
    n = r.n(1, 1000)
    m = 3000 if r.kind == "largest" else r.randint(0, 2 * n)
    first, last = r.span(1, 10**9)
    pairs = r.pairs(n, m)
    if r.kind == "against":  # a way with two roads between neighbours, and a few others
        n = r.randint(3, 6)
        way = [[town, town + 1] for town in range(1, n)]
        pairs = way + way + r.pairs(n, r.randint(0, 4))
        weights = [r.choice([1, 2, 5, 20, 21]) for _ in pairs]
        return [[n, len(pairs), r.randint(1, 3)], *([*pair, weight] for pair, weight in zip(pairs, weights))]
    return [[n, len(pairs), r.randint(0, 6)], *([*pair, r.randint(first, last)] for pair in pairs)]


def valid(t):
    n, m, _ = t.fields((1, 1000), (0, 3000), (0, 6))
    for _ in range(m):
        a, b, _ = t.fields((1, n), (1, n), (1, 10**9))
        assert a != b
