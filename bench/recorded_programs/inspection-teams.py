def arguments(r):
    n = r.n(1, 250)
    top, late, long = r.choice([(2, 20, 5), (5, 60, 9), (10**5, 10**6, 10**4), (0, 30, 3)])
    if r.kind == "largest":
        top, late, long = [(10**5, 10**6, 10**4), (100, 10**6, 1000), (1, 1000, 4), (10**5, 0, 10**4)][r.number % 4]
    return [[[r.randint(-top, top), r.randint(-top, top), r.randint(0, late), r.randint(1, long)] for _ in range(n)]]


def allowed(inspections):
    assert type(inspections) is list and 1 <= len(inspections) <= 250
    return all(
        wholes(one[:2], 2, 2, -(10**5), 10**5) and len(one) == 4 and whole(one[2], 0, 10**6) and whole(one[3], 1, 10**4)
        for one in inspections
    )
