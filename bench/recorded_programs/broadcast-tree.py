def arguments(r):
    n = r.n(1, 12000)
    names = [0, *r.sample(range(1, n), n - 1)]
    boss, talk = [-1] * n, [0] * n
    first, last = r.span(1, 10**6)
    for at, parent in enumerate(r.tree(n), 2):
        boss[names[at - 1]], talk[names[at - 1]] = names[parent - 1], r.randint(first, last)
    return [boss, talk]


def allowed(boss, talk):
    n = len(boss)
    assert wholes(boss, 1, 12000, -1, n - 1) and wholes(talk, n, n, 0, 10**6)
    assert boss[0] == -1 and talk[0] == 0 and min(boss[1:], default=0) >= 0 and min(talk[1:], default=1) >= 1
    good = {0}
    for person in range(n):
        way = []
        while person not in good:
            assert len(way) <= n
            way.append(person)
            person = boss[person]
        good.update(way)
    return True
