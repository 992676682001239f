def make(r):
    n, m = r.n(1, 120, 5), r.n(2, 120, 5)
    if r.kind == "edge" and r.number % 2:
        n = r.randint(1, 50)
    rocks = r.choice([0, 0.05, 0.15, 0.3])
    rows = [["#" if r.random() < rocks else "." for _ in range(m)] for _ in range(n)]
    start, target = r.sample(range(n * m), 2)
    if r.random() < 0.7:  # somewhere the courier stops
        at, direction = divmod(start, m), None
        for _ in range(r.randint(1, 30)):
            dx, dy = r.choice([(0, 1), (1, 0), (0, -1), (-1, 0)])
            x, y = at
            while 0 <= x + dx < n and 0 <= y + dy < m and rows[x + dx][y + dy] == ".":
                x, y = x + dx, y + dy
            at = x, y
            if at != divmod(start, m):
                target = at[0] * m + at[1]
    rows[start // m][start % m], rows[target // m][target % m] = "S", "T"
    return [[n, m], *("".join(row) for row in rows)]


def valid(t):
    n, m = t.fields((1, 120), (1, 120))
    rows = "".join(t.line(f"[.#ST]{{{m}}}") for _ in range(n))
    assert rows.count("S") == rows.count("T") == 1


def check(input, expected, actual):
    lines = input.split("\n")
    n, m = map(int, lines[0].split())
    rows = lines[1 : n + 1]
    words, wanted = actual.split(), expected.split()
    if wanted == ["-1"]:
        return words == ["-1"]
    if len(words) != 2 or words[0] != wanted[0] or len(words[1]) != int(wanted[0]) or set(words[1]) - set("UDLR"):
        return False
    x, y = next((x, row.index("S")) for x, row in enumerate(rows) if "S" in row)
    for push in words[1]:
        dx, dy = {"U": (-1, 0), "D": (1, 0), "L": (0, -1), "R": (0, 1)}[push]
        while 0 <= x + dx < n and 0 <= y + dy < m and rows[x + dx][y + dy] != "#":
            x, y = x + dx, y + dy
    return rows[x][y] == "T"
