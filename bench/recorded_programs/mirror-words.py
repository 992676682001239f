def arguments(r):
    n = r.n(1, 10000)
    letters = r.choice(["a", "ab", "abc", "abcdefghijklmnopqrstuvwxyz"])
    words = []
    for _ in range(n):
        words.append("".join(r.choice(letters) for _ in range(r.randint(1, 12 if r.number % 2 else 3))))
        if r.random() < 0.4:
            words[-1] = r.choice(words)[:: r.choice([1, -1])]
        if r.random() < 0.2:
            half = words[-1][:6]
            words[-1] = half + half[::-1][r.randint(0, 1) :]
    return [words]


def allowed(words):
    return type(words) is list and 1 <= len(words) <= 10000 and all(is_word(word, 1, 12) for word in words)
