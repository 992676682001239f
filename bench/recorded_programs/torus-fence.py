def make(r):
    rows, columns = r.n(1, 200, 4), r.n(1, 200, 4)
    if r.kind == "edge":
        rows, columns = r.choice(
            [(1, 1), (1, 2), (2, 1), (2, 2), (1, r.randint(1, 40)), (r.randint(1, 40), 2), (rows, columns)]
        )
    share = r.choice([0, 0.2, 0.5, 0.8, 1])
    return [
        [rows, columns],
        *("".join("#" if r.random() < share else "." for _ in range(columns)) for _ in range(rows)),
    ]


def valid(t):
    rows, columns = t.fields((1, 200), (1, 200))
    for _ in range(rows):
        t.line(f"[.#]{{{columns}}}")
