def make(r):
    n = r.n(1, 1500)
    m = 4000 if r.kind == "largest" else r.randint(0, 2 * n)
    first, last = r.span(0, 10**9)
    pairs = r.pairs(n, m)
    if r.number % 2:
        pairs += [[one, one] for one in r.choices(range(1, n + 1), k=min(3, 4000 - len(pairs)))]
    return [[n, len(pairs), r.choice([0, 1, 5, r.randint(0, 5)])], *([*pair, r.randint(first, last)] for pair in pairs)]


def valid(t):
    n, m, _ = t.fields((1, 1500), (0, 4000), (0, 5))
    for _ in range(m):
        t.fields((1, n), (1, n), (0, 10**9))
