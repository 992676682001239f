def arguments(r):
    n = r.n(1, 3000)
    length = r.choice([1, 2, 9, 30]) if r.kind in ("random", "against") else r.choice([10**9, 10**9 - 1, 3000])
    if r.kind == "against":  # few lamps, and gaps of almost one width
        n, length = r.randint(4, 7), r.randint(8, 30)
        return [length, r.sample(range(length), n), r.randint(2, n - 2)]
    cluster = r.randint(1, length)
    ships = [r.choice([r.randrange(length), r.randrange(cluster)]) for _ in range(n)]
    return [length, ships, r.choice([1, 1, 2, r.randint(1, n), n, 3000, min(3000, n // 2 + 1)])]


def allowed(length, ships, lamps):
    return whole(length, 1, 10**9) and wholes(ships, 1, 3000, 0, length - 1) and whole(lamps, 1, 3000)
