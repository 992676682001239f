def arguments(r):
    n = r.n(1, 9000)
    return [[r.values(r.randint(3, 10 if r.number % 2 else 4), 0, 1000) for _ in range(n)]]


def allowed(marks):
    return type(marks) is list and 1 <= len(marks) <= 9000 and all(wholes(one, 3, 10, 0, 1000) for one in marks)
