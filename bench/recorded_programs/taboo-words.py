def make(r):
    c = r.choice([1, 2, 3, 26])
    w = r.randint(0, 10) if r.number % 4 else r.choice([0, 10])
    letters = "abcdefghijklmnopqrstuvwxyz"[: min(c, 3)]
    left, words = 24, []
    for index in range(w):
        size = r.randint(1, max(1, min(left - (w - index - 1), r.choice([2, 4, 24]))))
        left -= size
        words.append("".join(r.choice(letters) for _ in range(size)))
    n = 10**18 - r.randint(0, 1) if r.kind == "largest" else r.choice([0, 1, 2, r.randint(0, 12), r.randint(0, 10**18)])
    return [[c, w, n], *words]


def valid(t):
    c, w, n = t.fields((1, 26), (0, 10), (0, 10**18))
    last = "abcdefghijklmnopqrstuvwxyz"[c - 1]
    assert sum(len(t.line(f"[a-{last}]+")) for _ in range(w)) <= 24
