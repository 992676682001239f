def make(r):
    n = r.n(1, 5000)
    c = r.choice([1, 5, 50, 10**9]) if r.kind != "largest" else r.choice([1, 10**6, 10**9])
    long, fast = r.choice([(3, 4), (20, 9), (10**4, 10**4)])
    return [
        [c, r.choice([0, c, r.randint(0, c)]), n],
        *([r.randint(1, long), r.randint(-fast, fast)] for _ in range(n)),
    ]


def valid(t):
    c, a, n = t.fields((1, 10**9), (0, 10**9), (1, 5000))
    assert a <= c
    for _ in range(n):
        t.fields((1, 10**4), (-(10**4), 10**4))
