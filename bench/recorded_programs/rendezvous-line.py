def make(r):
    n = r.n(1, 5000)
    x = r.values(n, -(10**9), 10**9)
    first, last = r.span(1, 10**6)
    return [[n], *([place, r.randint(first, last)] for place in x)]


def valid(t):
    (n,) = t.row(1, 1, 5000)
    for _ in range(n):
        t.fields((-(10**9), 10**9), (1, 10**6))
