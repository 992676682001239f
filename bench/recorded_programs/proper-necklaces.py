def arguments(r):
    if r.kind == "largest":
        return [[10**9, 735134400, 999999937, 2**29][r.number % 4], r.choice([10**9, 10**9 - 1, 2])]
    return [r.choice([2, 3, 4, r.randint(2, 40), 2 ** r.randint(1, 29)]), r.choice([1, 2, 3, 4, r.randint(1, 10**9)])]


def allowed(n, k):
    return whole(n, 2, 10**9) and whole(k, 1, 10**9)
