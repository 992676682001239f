def make(r):
    k = r.n(1, 13, 5)
    return [
        r.choice(
            ["".join(r.choice("LR") for _ in range(k)), "".join(r.choice("LR") for _ in range(k)), "L" * k, "R" * k]
        )
    ]


def valid(t):
    t.line("[LR]{1,13}")
