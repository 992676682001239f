def make(r):
    n = r.n(1, 28000)
    first, last = r.span(1, 99999)
    share = r.choice([0.2, 0.5, 0.8, 1.0])
    return [[n], *([("IN" if r.random() < share else "OUT"), r.randint(first, last)] for _ in range(n))]


def valid(t):
    (n,) = t.row(1, 1, 28000)
    for _ in range(n):
        t.fields("IN|OUT", (1, 99999))
