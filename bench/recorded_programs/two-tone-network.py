def make(r):
    n = r.n(1, 100, 5)
    m = 1200 if r.kind == "largest" else r.randint(0, min(1200, 3 * n))
    red = r.choice([0.2, 0.5, 0.8])
    first, last = r.span(0, 10**6)
    pairs = [[a, r.randint(1, a - 1)] for a in range(2, n + 1)] if r.number % 4 else []
    pairs = (pairs + r.pairs(n, m))[:1200]
    r.shuffle(pairs)
    return [
        [n, len(pairs), r.choice([0, n - 1, r.randint(0, n - 1), n // 2])],
        *([*pair, r.randint(first, last), "R" if r.random() < red else "B"] for pair in pairs),
    ]


def valid(t):
    n, m, k = t.fields((1, 100), (0, 1200), (0, 99))
    assert k < n
    for _ in range(m):
        a, b, _, _ = t.fields((1, n), (1, n), (0, 10**6), "[RB]")
        assert a != b
