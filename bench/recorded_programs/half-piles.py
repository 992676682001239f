def make(r):
    t = r.n(1, 200)
    lines = [[t]]
    for _ in range(t):
        piles = r.values(r.randint(1, 20 if r.kind == "largest" else 4), 1, 10**18)
        if r.random() < 0.3:
            piles += piles[: 20 - len(piles)]
        lines += [[len(piles)], piles]
    return lines


def valid(t):
    (games,) = t.row(1, 1, 200)
    for _ in range(games):
        (k,) = t.row(1, 1, 20)
        t.row(k, 1, 10**18)


def value(pile):
    while pile % 2:
        pile //= 2
    return pile // 2


def check(input, expected, actual):
    lines = input.split("\n")
    wanted, given = expected.strip().split("\n"), actual.strip().split("\n")
    if len(wanted) != len(given):
        return False
    for game, (want, give) in enumerate(zip(wanted, given)):
        piles = list(map(int, lines[2 * game + 2].split()))
        words = give.split()
        if want.strip() == "LOSE":
            if words != ["LOSE"]:
                return False
            continue
        if len(words) != 3 or words[0] != "WIN" or not all(re.fullmatch("[0-9]{1,20}", word) for word in words[1:]):
            return False
        pile, stones = int(words[1]) - 1, int(words[2])
        if not 0 <= pile < len(piles) or not 1 <= stones <= piles[pile] // 2:
            return False
        piles[pile] -= stones
        left = 0
        for one in piles:
            left ^= value(one)
        if left:
            return False
    return True
