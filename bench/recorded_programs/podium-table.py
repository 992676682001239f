def make(r):
    e = 1 if r.number % 3 == 0 else r.randint(1, 100 if r.kind in ("edge", "largest") else 4)
    countries = ["".join(r.choice("ABZ") for _ in range(3)) for _ in range(r.choice([1, 3, 6, 26]))]
    lines = [[e]]
    for _ in range(e):
        n = 6000 // e if r.kind == "largest" else r.randint(1, min(9, 6000 // e))
        lines.append([n])
        first, last = r.span(-(10**9), 10**9)
        lines += [[r.choice(countries), r.randint(first, last)] for _ in range(n)]
    return lines


def valid(t):
    (e,) = t.row(1, 1, 100)
    athletes = 0
    for _ in range(e):
        (n,) = t.row(1, 1, 6000)
        athletes += n
        for _ in range(n):
            t.fields("[A-Z]{3}", (-(10**9), 10**9))
    assert athletes <= 6000
