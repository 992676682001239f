def arguments(r):
    n = r.n(0, 5000)
    end = r.choice([1, 5, 20, 60]) if r.kind in ("random", "against") else r.choice([10**9, 10**9, 5000])
    capacity = r.choice([1, 3, 10, 10**9])
    value = r.choice([2, 8, 10**9])
    minutes = sorted(r.choice([0, r.randrange(end), end - 1]) if r.number % 2 else r.randrange(end) for _ in range(n))
    return [capacity, [[minute, r.randint(1, value)] for minute in minutes], end]


def allowed(capacity, coins, end):
    assert whole(capacity, 1, 10**9) and whole(end, 1, 10**9) and type(coins) is list and len(coins) <= 5000
    assert all(wholes(coin, 2, 2, 0, 10**9) and coin[0] < end and coin[1] >= 1 for coin in coins)
    return all(first[0] <= second[0] for first, second in zip(coins, coins[1:]))
