def make(r):
    n, q = r.n(1, 8000), r.n(1, 8000)
    d = r.choice([n, n + 1, 2 * n, 10**9]) if r.kind != "random" else r.randint(n, 3 * n)
    return [[d, n, q], r.sample(range(d), n), [r.choice([0, d - 1, r.randrange(d)]) for _ in range(q)]]


def valid(t):
    d, n, q = t.fields((1, 10**9), (1, 8000), (1, 8000))
    assert len(set(t.row(n, 0, d - 1))) == n
    t.row(q, 0, d - 1)
