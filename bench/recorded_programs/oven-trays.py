def arguments(r):
    n = r.n(1, 10000)
    return [
        r.values(n, 1, 10**9),
        r.choice([1, 2, 3, r.randint(1, n), 10000]),
        r.choice([0, 1, 2, 5, r.one(0, 10**9), 10**9]),
    ]


def allowed(heat, slots, spread):
    return wholes(heat, 1, 10000, 1, 10**9) and whole(slots, 1, 10000) and whole(spread, 0, 10**9)
