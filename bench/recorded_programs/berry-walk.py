def make(r):
    n, m = r.n(1, 100, 5), r.n(1, 100, 5)
    if r.kind == "edge" and r.number % 2:
        m = r.randint(1, 60)
    hedges = r.choice([0, 0.05, 0.2, 0.4])
    rows = [[("#" if r.random() < hedges else str(r.randint(0, 9))) for _ in range(m)] for _ in range(n)]
    for row, column in ((0, 0), (n - 1, m - 1)):
        if rows[row][column] == "#":
            rows[row][column] = "5"
    return [[n, m, r.choice([1, 2, 3, r.randint(1, 20), 20])], *("".join(row) for row in rows)]


def valid(t):
    n, m, _ = t.fields((1, 100), (1, 100), (1, 20))
    rows = [t.line(f"[0-9#]{{{m}}}") for _ in range(n)]
    assert rows[0][0] != "#" != rows[-1][-1]
