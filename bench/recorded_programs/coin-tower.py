def make(r):
    n = r.n(1, 20000, 12)
    if r.number % 2:
        a = [2 ** r.randint(0, r.choice([1, 2, 4])) * r.choice([1, 1, 1, 3]) for _ in range(n)]
    elif r.kind == "against":  # sums that leave 32 and 53 bits
        a = [2 ** r.randint(28, 29)] * n
    else:
        a = r.values(n, 1, 10**9)
    return [[n], a]


def valid(t):
    (n,) = t.row(1, 1, 20000)
    t.row(n, 1, 10**9)
