def make(r):
    n = r.n(2, 5000)
    (a, b), (c, d) = r.span(-(10**6), 10**6), r.span(0, 5000)
    return [[n], *([r.randint(a, b), r.randint(a, b), r.randint(c, d)] for _ in range(n))]


def valid(t):
    (n,) = t.row(1, 2, 5000)
    for _ in range(n):
        t.fields((-(10**6), 10**6), (-(10**6), 10**6), (0, 5000))
