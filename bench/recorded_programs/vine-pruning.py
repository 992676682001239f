def make(r):
    n = r.n(1, 1000)
    names = [1, *r.sample(range(2, n + 1), n - 1)]
    parents = [0] * (n + 1)
    for at, parent in enumerate(r.tree(n), 2):
        parents[names[at - 1]] = names[parent - 1]
    return [[n, r.choice([1, n, r.randint(1, n), max(1, n // 2)])], r.values(n, -(10**9), 10**9), parents[2:]]


def valid(t):
    n, k = t.fields((1, 1000), (1, 1000))
    assert k <= n
    t.row(n, -(10**9), 10**9)
    parents = [0, 0, *t.row(n - 1, 1, n)]
    good = {1}
    for shoot in range(2, n + 1):
        way = []
        while shoot not in good:
            assert shoot not in way[-1:] and len(way) <= n
            way.append(shoot)
            shoot = parents[shoot]
        good.update(way)
