def make(r):
    n = r.n(1, 7000)
    end = r.choice([3, 8, 20]) if r.kind in ("random", "against") else r.choice([10**9, 10**9, 7000, 1])
    rows = []
    for _ in range(n):
        s = r.choice([0, r.randrange(end), r.randrange(end)])
        e = r.choice([end, r.randint(s + 1, end), min(end, s + max(1, 5 * end // n))])
        rows.append([s, e, r.one(0, 10**6)])
    return [[end, n], *rows]


def valid(t):
    end, n = t.fields((1, 10**9), (1, 7000))
    for _ in range(n):
        s, e, _ = t.fields((0, end), (0, end), (0, 10**6))
        assert s < e
