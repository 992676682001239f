def make(r):
    n = r.n(1, 17000, 14)
    names = list(
        {
            "".join(r.choice("abz") for _ in range(r.randint(1, 5 if r.number % 2 else 1)))
            for _ in range(r.choice([2, 4, 9, 300]))
        }
    )
    if r.kind == "largest":
        letters = "abcdefghijklmnopqrstuvwxyz"
        names = ["".join(r.choice(letters) for _ in range(5)) for _ in range([5000, 9000, 3, 500][r.number % 4])]
    names.sort()
    stock, done, lines = {}, [], []
    top = r.choice([3, 10, 10**6])
    undo = 0.02 if r.kind == "largest" else r.choice([0.1, 0.3, 0.5])
    for _ in range(n):
        chance = r.random()
        if chance < 0.3:
            lines.append("TOP")
        elif chance < 0.3 + 0.7 * undo:
            lines.append("UNDO")
            if done:
                name, q = done.pop()
                stock[name] -= q
        else:
            name = r.choice(names)
            q = r.randint(-min(stock.get(name, 0), 10**6), top)
            if r.random() < 0.2:
                q = -min(stock.get(name, 0), 10**6)
            stock[name] = stock.get(name, 0) + q
            done.append((name, q))
            lines.append(f"ADD {name} {q}")
    if "TOP" not in lines:
        lines[-1] = "TOP"
    return [[n], *lines]


def valid(t):
    (n,) = t.row(1, 1, 17000)
    stock, done, tops = {}, [], 0
    for _ in range(n):
        if t.lines[0] in ("UNDO", "TOP"):
            line = t.line()
            tops += line == "TOP"
            if line == "UNDO" and done:
                name, q = done.pop()
                stock[name] -= q
                assert stock[name] >= 0
            continue
        _, name, q = t.fields("ADD", "[a-z]{1,5}", (-(10**6), 10**6))
        stock[name] = stock.get(name, 0) + q
        assert stock[name] >= 0
        done.append((name, q))
    assert tops
