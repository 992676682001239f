def make(r):
    n = r.n(1, 12000)
    m = r.choice([1, 2, 7, r.randint(1, 3 * n), 10**9, 10**9 - 7])
    return [[n, m], r.values(n, 0, 10**9) if r.number % 2 else [r.randint(0, r.choice([3, m])) for _ in range(n)]]


def valid(t):
    n, _ = t.fields((1, 12000), (1, 10**9))
    t.row(n, 0, 10**9)


def check(input, expected, actual):
    n, m, *a = map(int, input.split())
    words, wanted = actual.split(), expected.split()
    if wanted == ["-1"]:
        return words == ["-1"]
    if len(words) != 2 or not all(re.fullmatch("[0-9]{1,9}", word) for word in words):
        return False
    first, last = map(int, words)
    if not 1 <= first <= last <= n or last - first != int(wanted[1]) - int(wanted[0]):
        return False
    return sum(a[first - 1 : last]) % m == 0
