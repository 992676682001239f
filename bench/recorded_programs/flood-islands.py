def make(r):
    n, m = r.n(1, 110, 4), r.n(1, 110, 5)
    if r.kind == "edge" and r.number % 2:
        n = r.randint(1, 40)
    first, last = r.span(0, 9999)
    rows = [[r.randint(first, last) for _ in range(m)] for _ in range(n)]
    t = r.n(1, 3000)
    return [[n, m, t], *rows, [r.randint(max(0, first - 1), last) for _ in range(t)]]


def valid(t):
    n, m, q = t.fields((1, 110), (1, 110), (1, 3000))
    for _ in range(n):
        t.row(m, 0, 9999)
    t.row(q, 0, 9999)
