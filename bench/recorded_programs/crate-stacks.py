def arguments(r):
    return [r.values(r.n(1, 16000), 1, 10**9)]


def allowed(weights):
    return wholes(weights, 1, 16000, 1, 10**9)
