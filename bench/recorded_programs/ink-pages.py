def make(r):
    t = r.n(1, 100)
    costs = r.values(10, 1, 1000)
    amounts = [r.choice([r.one(0, 10**15), r.randint(0, 200), 10 ** r.randint(0, 15)]) for _ in range(t)]
    return [costs, [t], amounts]


def valid(t):
    t.row(10, 1, 1000)
    (n,) = t.row(1, 1, 100)
    t.row(n, 0, 10**15)
