def make(r):
    n = r.n(1, 1000)
    m = r.choice([2, 3, 4, 5, 10, 10**9, 10**9 - 1])
    shown = [r.randrange(m) for _ in range(n)]
    step = r.choice([1, 2, m])
    secret = [(one + r.randint(-step, step)) % m for one in shown]
    return [[n, m], shown, secret]


def valid(t):
    n, m = t.fields((1, 1000), (2, 10**9))
    t.row(n, 0, m - 1)
    t.row(n, 0, m - 1)
