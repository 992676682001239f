def make(r):
    if r.kind == "against":  # one player and his rivals, in groups of two sizes: no greedy split is best
        pairs, n = [], 0
        for size in r.choices(r.sample(range(3, 7), 2), k=r.randint(4, 7)):
            pairs += [[n + 1, n + other] for other in range(2, size + 1)]
            n += size
        return [[n, len(pairs)], *pairs]
    n = r.n(1, 600)
    sides = [r.randint(0, 1) for _ in range(n)]
    pairs = []
    for _ in range(3000 if r.kind == "largest" and r.number % 2 else r.randint(0, n)):
        if n > 1:
            a, b = r.sample(range(n), 2)
            if sides[a] != sides[b] or r.number % 5 == 4:
                pairs.append([a + 1, b + 1])
    return [[n, len(pairs)], *pairs]


def valid(t):
    n, m = t.fields((1, 600), (0, 3000))
    for _ in range(m):
        a, b = t.row(2, 1, n)
        assert a != b


def check(input, expected, actual):
    numbers = list(map(int, input.split()))
    n, pairs = numbers[0], list(zip(numbers[2::2], numbers[3::2]))
    words, wanted = actual.split(), expected.strip()
    if wanted == "IMPOSSIBLE":
        return words == ["IMPOSSIBLE"]
    if len(words) != 1 or len(words[0]) != n or set(words[0]) - set("12"):
        return False
    teams = words[0]
    if any(teams[a - 1] == teams[b - 1] for a, b in pairs):
        return False
    return abs(2 * teams.count("1") - n) == abs(2 * wanted.count("1") - n)
