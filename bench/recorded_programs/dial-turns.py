def arguments(r):
    n = r.n(1, 40000)
    letters = r.choice(["ABCDEFGHIJKLMNOPQRSTUVWXYZ", "AZ", "AMNOZ", "N"])
    return [r.choice([1, 2, 3, n, n + 1, 10**9]), "".join(r.choice(letters) for _ in range(n))]


def allowed(d, text):
    return whole(d, 1, 10**9) and is_word(text, 1, 40000, "A-Z")
