def make(r):
    k = r.n(1, 50, 4)
    n = max(1, 40000 // k) if r.kind == "largest" else r.n(1, min(800, 40000 // k))
    few = [r.sample(range(1, k + 1), k) for _ in range(r.choice([1, 2, 3, 300]))]
    return [[k, n], *(r.choice(few) for _ in range(n))]


def valid(t):
    k, n = t.fields((1, 50), (1, 40000))
    assert n * k <= 40000
    for _ in range(n):
        assert len(set(t.row(k, 1, k))) == k
