def arguments(r):
    n = r.n(2, 8000)
    names = r.sample(["a", "b", "ox", "fox", "owl", "zebras", "aa", "ab"], r.choice([1, 2, 3, 5, 8]))
    half = [n // 2, n // 2 + 1, n // 2 + n % 2, r.randint(1, n)][r.number % 4]
    clubs = [names[0]] * min(n, half)
    clubs += [r.choice(names[1:] or names) for _ in range(n - len(clubs))]
    r.shuffle(clubs)
    return [clubs]


def allowed(clubs):
    return type(clubs) is list and 2 <= len(clubs) <= 8000 and all(is_word(name, 1, 6) for name in clubs)


def check(input, expected, actual):
    (clubs,) = input
    if type(actual) is not list or not all(type(name) is str for name in actual):
        return False
    if not expected:
        return actual == []
    return sorted(actual) == sorted(clubs) and all(actual[at - 1] != name for at, name in enumerate(actual))
