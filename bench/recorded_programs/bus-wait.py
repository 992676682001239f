def make(r):
    n = r.n(1, 10000)
    top = r.choice([5, 20, 100]) if r.kind in ("random", "against") else 10**9
    s = r.randint(0, top // 2)
    e = s + r.randint(0, top - s)
    p = r.choice([1, r.randint(1, max(1, e - s)), r.randint(1, top)])
    a = [r.choice([s, e, min(top, e + 1), s + (e - s) // p * p, r.randint(0, top), min(top, s + p)]) for _ in range(n)]
    return [[n, s, e, p, r.randint(0, top)], a]


def valid(t):
    n, s, e, p, w = t.fields((1, 10000), (0, 10**9), (0, 10**9), (1, 10**9), (0, 10**9))
    assert s <= e
    t.row(n, 0, 10**9)
