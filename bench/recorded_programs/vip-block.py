def make(r):
    n = r.n(1, 60000, 12)
    share = r.choice([0, 0.1, 0.5, 0.9, 1])
    row = "".join("V" if r.random() < share else "." for _ in range(n))
    if r.number % 4 == 3:
        row = "V" * (n // 3) + "." * (n - 2 * (n // 3)) + "V" * (n // 3)
    return [row]


def valid(t):
    t.line("[V.]{1,60000}")
