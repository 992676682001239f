def arguments(r):
    heights, step = r.values(r.n(1, 16000), 1, 10**6), r.choice([0, 1, 2, 100, r.randint(0, 100)])
    if r.number % 3 == 1:  # heads at almost one height
        heights = [max(1, min(10**6, 10**6 - at * step + r.randint(-2, 0))) for at in range(len(heights))]
    return [heights, step]


def allowed(heights, step):
    return wholes(heights, 1, 16000, 1, 10**6) and whole(step, 0, 100)
