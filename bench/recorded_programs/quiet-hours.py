def make(r):
    n = r.n(0, 6000)
    end = r.choice([2, 6, 20, 60]) if r.kind in ("random", "against") else r.choice([10**9, 6000, 1])
    longest = max(1, end // r.choice([1, 2, max(1, n)]))
    rows = []
    for _ in range(n):
        s = r.randrange(end)
        rows.append([s, r.randint(s + 1, min(end, s + longest))])
    return [[end, n], *rows]


def valid(t):
    end, n = t.fields((1, 10**9), (0, 6000))
    for _ in range(n):
        s, e = t.row(2, 0, end)
        assert s < e
