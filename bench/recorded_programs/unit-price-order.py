def arguments(r):
    n = r.n(1, 2500)
    offers = []
    for _ in range(n):
        offer = [r.one(1, 10**18), r.one(1, 10**18)]
        if offers and r.random() < 0.4:
            price, amount = r.choice(offers)
            times = r.randint(1, 3)
            offer = (
                [price * times, amount * times] if max(price, amount) * times <= 10**18 else [price, max(1, amount - 1)]
            )
        if r.random() < 0.2:
            offer = [10**18 - r.randint(0, 2), 10**18 - r.randint(0, 2)]
        offers.append(offer)
    return [offers]


def allowed(offers):
    return type(offers) is list and 1 <= len(offers) <= 2500 and all(wholes(offer, 2, 2, 1, 10**18) for offer in offers)
