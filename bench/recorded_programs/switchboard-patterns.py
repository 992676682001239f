def make(r):
    n, m, q = r.n(1, 200, 4), r.n(1, 200, 4), r.n(1, 200, 5)
    if r.kind == "edge" and r.number % 2:
        n, m = r.randint(1, 60), r.randint(1, 60)
    share = r.choice([0.1, 0.5, 0.9])
    rows = [[int(r.random() < share) for _ in range(m)] for _ in range(n)]
    if r.number % 3:  # of low rank
        for at in range(n // 2, n):
            rows[at] = [a ^ b for a, b in zip(r.choice(rows[: at or 1]), r.choice(rows[: at or 1]))]
    patterns = []
    for _ in range(q):
        pattern = [0] * m
        for row in rows:
            if r.random() < 0.5:
                pattern = [a ^ b for a, b in zip(pattern, row)]
        if r.random() < 0.3:
            pattern[r.randrange(m)] ^= 1
        patterns.append(pattern)
    return [[n, m, q], *("".join(map(str, row)) for row in rows + patterns)]


def valid(t):
    n, m, q = t.fields((1, 200), (1, 200), (1, 200))
    for _ in range(n + q):
        t.line(f"[01]{{{m}}}")
