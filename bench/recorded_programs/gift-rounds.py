def make(r):
    n = r.n(1, 10000)
    f = r.values(n, 1, n)
    if r.number % 3 == 1:
        f = r.sample(range(1, n + 1), n)
    if r.number % 3 == 2:
        f = [1, *r.tree(n)]
    return [[n, r.choice([0, 1, 2, n, 10**18, r.randint(0, 10**18), r.randint(0, 9)])], f]


def valid(t):
    n, _ = t.fields((1, 10000), (0, 10**18))
    t.row(n, 1, n)
