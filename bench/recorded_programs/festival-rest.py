def make(r):
    n = r.n(1, 8000)
    top = r.choice([8, 20, 60]) if r.kind in ("random", "against") else 10**9
    length = top if r.number % 2 else max(1, top // max(1, n // 2))
    rows = []
    for _ in range(n):
        a = r.randint(0, top - 1)
        rows.append([a, r.randint(a + 1, min(top, a + length)), r.one(1, 10**9)])
    return [[n], *rows]


def valid(t):
    (n,) = t.row(1, 1, 8000)
    for _ in range(n):
        a, b, _ = t.fields((0, 10**9), (0, 10**9), (1, 10**9))
        assert a < b
