def arguments(r):
    letters = r.choice(["ab", "abc", "abcdefghijklmnopqrstuvwxyz"])
    word = lambda low, high: "".join(r.choice(letters) for _ in range(r.randint(low, high)))
    longest = r.choice([4, 8, 14])
    return [[word(1, longest) for _ in range(r.n(1, 4000))], [word(3, 3) for _ in range(r.n(1, 4000))]]


def allowed(words, plates):
    assert type(words) is type(plates) is list and 1 <= len(words) <= 4000 and 1 <= len(plates) <= 4000
    return all(is_word(word, 1, 14) for word in words) and all(is_word(plate, 3, 3) for plate in plates)
