def make(r):
    w = r.randint(1, 8) if r.kind in ("random", "against") else r.choice([1, 2, 10, 79, 80])
    target = r.n(1, 20000, 40)
    words, length = [], -1
    while True:
        size = r.choice([w, w + 1, 2 * w, r.randint(1, 3 * w), r.randint(1, w), 1])
        if length + 1 + size > target:
            break
        words.append("".join(r.choice("abcxyz") for _ in range(size)))
        length += 1 + size
    return [[w], " ".join(words) or "a" * target]


def valid(t):
    t.row(1, 1, 80)
    assert len(t.line("[a-z]+( [a-z]+)*")) <= 20000
