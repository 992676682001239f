def arguments(r):
    n = r.n(1, 12)
    top = r.choice([2, 5, 12]) if r.kind != "largest" else 10**6
    late = r.choice([2, 6, 15]) * top
    place = lambda: r.randint(-top, top)
    return [[place(), place()], [[place(), place(), r.randint(0, late)] for _ in range(n)]]


def allowed(start, stops):
    assert wholes(start, 2, 2, -(10**6), 10**6) and type(stops) is list and 1 <= len(stops) <= 12
    return all(wholes(stop[:2], 2, 2, -(10**6), 10**6) and wholes(stop[2:], 1, 1, 0, 10**8) for stop in stops)
