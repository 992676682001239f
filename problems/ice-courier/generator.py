import random


def text(rows):
    return f"{len(rows)} {len(rows[0])}\n" + "".join(row + "\n" for row in rows)


def lake(rng, n, m, rocks):
    grid = [["#" if rng.random() < rocks else "." for _ in range(m)] for _ in range(n)]
    start, target = rng.sample(range(n * m), 2)
    grid[start // m][start % m] = "S"
    grid[target // m][target % m] = "T"
    return ["".join(row) for row in grid]


def stops(rows, start):
    """The cells where the courier can stop, farthest first."""
    n, m = len(rows), len(rows[0])
    order, seen = [start], {start}
    for r, c in order:
        for dr, dc in ((-1, 0), (1, 0), (0, -1), (0, 1)):
            y, x = r, c
            while 0 <= y + dr < n and 0 <= x + dc < m and rows[y + dr][x + dc] != "#":
                y, x = y + dr, x + dc
            if (y, x) not in seen:
                seen.add((y, x))
                order.append((y, x))
    return order[::-1]


def far_lake(rng, n, m, rocks):
    rows = lake(rng, n, m, rocks)
    start = next((r, row.index("S")) for r, row in enumerate(rows) if "S" in row)
    y, x = stops(rows, start)[0]
    rows = [row.replace("T", ".") for row in rows]
    if rows[y][x] == "S":
        rows[y] = rows[y].replace("S", ".")
        rows[y] = rows[y][:x] + "T" + rows[y][x + 1 :]
        return [*rows[:-1], "S" + rows[-1][1:]]
    rows[y] = rows[y][:x] + "T" + rows[y][x + 1 :]
    return rows


def tests():
    rng = random.Random(204)
    yield text(["S..#", "....", "#.T.", "..#."])
    yield text(["S.T."])
    yield text(["S..#", "....", "#.T.", "...#"])
    yield text(["ST"])
    yield text(["T", ".", "S"])
    yield text(["S#T"])
    yield text(["S....", ".....", "..T..", "....."])
    yield text([".#...", "S..T#", ".....", "...#."])
    for n, m, rocks in ((6, 7, 0.2), (10, 10, 0.25), (15, 12, 0.15)):
        yield text(far_lake(rng, n, m, rocks))
    yield text(far_lake(rng, 120, 120, 0.02))
    yield text(far_lake(rng, 120, 120, 0.2))
    yield text(lake(rng, 120, 120, 0.3))
    # One corridor that winds through the lake.
    kinds = ["." * 120, "#" * 119 + ".", "." * 120, "." + "#" * 119]
    rows = [kinds[r % 4] for r in range(119)]
    rows[0] = "S" + rows[0][1:]
    rows[118] = "T" + rows[118][1:]
    yield text(rows)
