def arguments(r):
    ribbon = list(r.word(1, 600))
    worn = r.choice([0, 1, 2, r.randint(0, 5), r.randint(0, len(ribbon)), 600])
    for _ in range(r.randint(0, min(worn + 1, len(ribbon)))):
        ribbon[r.randrange(len(ribbon))] = r.choice("abz")
    return ["".join(ribbon), worn]


def allowed(ribbon, worn):
    return is_word(ribbon, 1, 600) and whole(worn, 0, 600)
