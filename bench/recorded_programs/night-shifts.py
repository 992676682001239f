def arguments(r):
    n = r.n(1, 16000)
    return [r.values(n, 0, 10**6), r.choice([0, 1, 2, n, max(0, n - 1), r.randint(0, n), 16000])]


def allowed(pay, limit):
    return wholes(pay, 1, 16000, 0, 10**6) and whole(limit, 0, 16000)
