def make(r):
    q = r.n(1, 50)
    return [[q], *([r.choice([r.one(0, 10**9), r.randint(0, 60), r.randint(0, 44000) * 7 % 10**9])] for _ in range(q))]


def valid(t):
    (q,) = t.row(1, 1, 50)
    for _ in range(q):
        t.row(1, 0, 10**9)


def check(input, expected, actual):
    numbers = list(map(int, input.split()))[1:]
    lines = actual.strip().split("\n")
    if len(lines) != len(numbers):
        return False
    for number, line in zip(numbers, lines):
        words = line.split()
        if len(words) != 3 or not all(re.fullmatch("[0-9]{1,9}", word) for word in words):
            return False
        if sum(side * (side + 1) // 2 for side in map(int, words)) != number:
            return False
    return True
