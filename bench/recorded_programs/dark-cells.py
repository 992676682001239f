def make(r):
    small = r.kind in ("random", "against")
    n, m = (r.randint(1, 6), r.randint(1, 6)) if small else (r.one(1, 10**9), r.one(1, 10**9))
    k = r.n(0, 8000)
    return [[n, m, k], *([r.randint(1, min(n, 90 if r.number % 2 else n)), r.randint(1, m)] for _ in range(k))]


def valid(t):
    n, m, k = t.fields((1, 10**9), (1, 10**9), (0, 8000))
    for _ in range(k):
        t.fields((1, n), (1, m))
