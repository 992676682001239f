def make(r):
    n, m = r.n(1, 36, 4), r.randint(1, 5) if r.kind in ("random", "against") else r.choice([1, 2, 7])
    if r.kind == "largest":
        n, m = [(36, 7), (36, 6), (35, 7), (36, 1)][r.number % 4]
    pillars = r.choice([0, 0.1, 0.3])
    return [
        [n, m, r.choice([0, 1, 2, r.randint(0, 8), 8])],
        *("".join("#" if r.random() < pillars else "." for _ in range(m)) for _ in range(n)),
    ]


def valid(t):
    n, m, _ = t.fields((1, 36), (1, 7), (0, 8))
    for _ in range(n):
        t.line(f"[.#]{{{m}}}")
