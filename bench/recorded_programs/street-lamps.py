def make(r):
    n = r.n(1, 8000)
    top = r.choice([1, 4, 10, 40]) if r.kind in ("random", "against") else r.choice([10**9, 10**9, 8000, 1])
    return [[top, n], *(sorted([r.randint(1, top), r.randint(1, top)]) for _ in range(n))]


def valid(t):
    top, n = t.fields((1, 10**9), (1, 8000))
    for _ in range(n):
        a, b = t.row(2, 1, top)
        assert a <= b
