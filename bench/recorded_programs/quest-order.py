def arguments(r):
    n = r.n(1, 4000)
    order = r.sample(range(n), n)
    rules = []
    for _ in range(12000 if r.kind == "largest" else r.randint(0, 2 * n)):
        a, b = sorted([r.randrange(n), r.randrange(n)])
        if r.number % 2:
            b = min(n - 1, a + r.randint(1, 3))
        if a != b or r.number % 8 == 5:
            rules.append([order[a], order[b]])
    if r.number % 8 == 3 and rules:
        rules.append(rules[0][::-1])
    return [n, rules[:12000], [r.random() < 0.5 for _ in range(n)]]


def allowed(n, rules, night):
    assert whole(n, 1, 4000) and type(rules) is list and len(rules) <= 12000 and type(night) is list
    assert len(night) == n and all(type(one) is bool for one in night)
    return all(wholes(rule, 2, 2, 0, n - 1) for rule in rules)


def check(input, expected, actual):
    n, rules, night = input
    if type(actual) is not list or any(type(quest) is not int for quest in actual):
        return False
    if not expected:
        return actual == []
    if sorted(actual) != list(range(n)):
        return False
    place = {quest: at for at, quest in enumerate(actual)}
    if any(place[a] >= place[b] for a, b in rules):
        return False
    changes = lambda order: sum(night[a] != night[b] for a, b in zip(order, order[1:]))
    return changes(actual) == changes(expected)
