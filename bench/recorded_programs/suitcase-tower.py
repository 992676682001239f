def arguments(r):
    n = r.n(0, 1000)
    heavy = r.choice([3, 10, 10**9])
    strong = r.choice([2, 3 * n + 1, heavy * (n + 1) // 2 + 1, 10**12])
    return [[[r.randint(1, heavy), r.randint(0, min(10**12, strong))] for _ in range(n)]]


def allowed(suitcases):
    assert type(suitcases) is list and len(suitcases) <= 1000
    return all(
        type(one) is list and len(one) == 2 and whole(one[0], 1, 10**9) and whole(one[1], 0, 10**12)
        for one in suitcases
    )
