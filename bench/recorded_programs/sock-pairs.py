def arguments(r):
    n = r.n(0, 10000)
    colours = ["".join(r.choice("abz") for _ in range(r.randint(1, 10))) for _ in range(r.choice([1, 2, 5, 2000]))]
    kinds = r.choice(["LRE", "LE", "RE", "LR", "LLLE", "E"])
    return [[f"{r.choice(kinds)}-{r.choice(colours)}" for _ in range(n)]]


def allowed(socks):
    assert type(socks) is list and len(socks) <= 10000
    return all(type(sock) is str and re.fullmatch("[LRE]-[a-z]{1,10}", sock) for sock in socks)
