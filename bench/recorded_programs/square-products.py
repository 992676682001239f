def arguments(r):
    n = r.n(1, 10000)
    top = r.choice([4, 20, 100]) if r.kind in ("random", "against") else 10**6
    base = r.choice([1, 2, 6, 30, 999983])
    square = lambda: base * r.randint(1, max(1, int((10**6 // base) ** 0.5))) ** 2
    found = [r.choice([r.randint(1, top), square() if r.number % 2 else r.randint(1, top)]) for _ in range(n)]
    return [[min(10**6, one) for one in found]]


def allowed(numbers):
    return wholes(numbers, 1, 10000, 1, 10**6)
