def make(r):
    n, c, q = r.n(1, 9000), r.n(1, 9000, 4), r.n(1, 9000)
    used = c if r.number % 2 else min(c, 3)
    return [
        [n, c, q],
        [r.randint(1, used) for _ in range(n)],
        *(
            [r.choice(["paint", "swap", "swap"]), r.randint(1, used), r.randint(1, c if r.random() < 0.3 else used)]
            for _ in range(q)
        ),
    ]


def valid(t):
    n, c, q = t.fields((1, 9000), (1, 9000), (1, 9000))
    t.row(n, 1, c)
    for _ in range(q):
        t.fields("paint|swap", (1, c), (1, c))
