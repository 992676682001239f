def make(r):
    n = r.n(1, 15000)
    shape = r.randrange(4)
    a = [[r.randint(1, i), i, 1, max(1, i - r.randint(0, 2))][shape] for i in range(1, n + 1)]
    if sum(a) % 2 and r.random() < 0.8 and n > 1:
        a[-1] += 1 if a[-1] < n else -1
    return [[n], a]


def valid(t):
    (n,) = t.row(1, 1, 15000)
    assert all(1 <= a <= i for i, a in enumerate(t.row(n, 1, n), 1))


def check(input, expected, actual):
    a = list(map(int, input.split()[1:]))
    if expected.strip() == "IMPOSSIBLE":
        return actual.strip() == "IMPOSSIBLE"
    words = actual.split()
    if len(words) != 1 or len(words[0]) != len(a) or set(words[0]) - set("LR"):
        return False
    return sum(w if side == "L" else -w for w, side in zip(a, words[0])) == 0
