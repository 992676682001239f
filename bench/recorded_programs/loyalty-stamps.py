def arguments(r):
    n = r.n(1, 14000)
    days, cents = r.choice([1, 3, 10, 10**9]), r.choice([5, 40, 10**9])
    if r.kind == "largest":
        days = [10**9, 1, 10**5, 3][r.number % 4]
    price = r.choice([1, 2, 7, r.randint(1, cents), 10**9])
    return [
        [[r.randint(1, days), r.choice([r.randint(1, cents), min(10**9, price)])] for _ in range(n)],
        price,
        r.choice([1, 2, r.randint(1, 9), 10**9]),
    ]


def allowed(purchases, price, limit):
    assert type(purchases) is list and 1 <= len(purchases) <= 14000
    return all(wholes(one, 2, 2, 1, 10**9) for one in purchases) and whole(price, 1, 10**9) and whole(limit, 1, 10**9)
