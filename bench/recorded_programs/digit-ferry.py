def arguments(r):
    n = 300000 - r.randint(0, 3) if r.kind == "largest" else r.choice([r.randint(1, 30), r.randint(1, 3000), 99999, 1])
    total = sum(sum(map(int, str(one))) for one in range(1, min(n, 3000) + 1))
    return [n, r.choice([54, 55, r.randint(54, 120), max(54, total), max(54, total - 1), 10**9])]


def allowed(n, capacity):
    return whole(n, 1, 300000) and whole(capacity, 54, 10**9)
