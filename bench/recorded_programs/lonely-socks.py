def make(r):
    n = r.n(1, 9000, 12)
    colours = ["".join(r.choice("abcz") for _ in range(r.randint(1, 8))) for _ in range(r.choice([1, 2, 3, 6, 3000]))]
    if r.kind == "largest" and r.number == 0:
        colours = ["".join(r.choice("abcdefgh") for _ in range(8)) for _ in range(n)]
    return [[n], *([r.choice(colours), r.choice("LR")] for _ in range(n))]


def valid(t):
    (n,) = t.row(1, 1, 9000)
    for _ in range(n):
        t.fields("[a-z]{1,8}", "[LR]")
