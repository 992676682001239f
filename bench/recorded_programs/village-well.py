def make(r):
    n = r.n(1, 7000)
    names = r.sample(range(1, n + 1), n)
    paths = [[names[at - 1], names[parent - 1]] for at, parent in enumerate(r.tree(n), 2)]
    first, last = r.span(1, 10**4)
    return [[n], r.values(n, 0, 10**4), *([*path, r.randint(first, last)] for path in paths)]


def valid(t):
    (n,) = t.row(1, 1, 7000)
    t.row(n, 0, 10**4)
    top = list(range(n + 1))

    def root(house):
        while top[house] != house:
            top[house] = top[top[house]]
            house = top[house]
        return house

    for _ in range(n - 1):
        a, b, _ = t.fields((1, n), (1, n), (1, 10**4))
        assert root(a) != root(b)
        top[root(a)] = root(b)
