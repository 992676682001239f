def make(r):
    n = r.n(1, 20000, 12)
    if r.kind == "largest" and r.number < 2:  # one streak of all nights
        return [[n, n], [-5] * n if r.number else [night % 2 or -3 for night in range(n)]]
    share = r.choice([0.2, 0.4, 0.7, 1.0])
    return [
        [n, r.choice([0, n, r.randint(0, n), min(n, r.randint(0, 3))])],
        [r.randint(1, 60) if r.random() < share else r.randint(-60, 0) * r.randint(0, 1) for _ in range(n)],
    ]


def valid(t):
    n, k = t.fields((1, 20000), (0, 20000))
    assert k <= n
    t.row(n, -60, 60)
