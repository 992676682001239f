def make(r):
    rows, columns = r.n(1, 90, 4), r.n(1, 90, 4)
    if r.kind == "edge" and r.number % 2:
        rows = r.randint(1, 30)
    first, last = r.choice([r.span(0, 10**9), (0, rows + columns + 3), (rows, 3 * (rows + columns))])
    grid = [[r.randint(first, last) for _ in range(columns)] for _ in range(rows)]
    if r.number % 3 == 1:  # a winding way that stays dry for long
        for x in range(0, rows, 2):
            grid[x] = [last + rows * columns] * columns
            if x + 1 < rows:
                grid[x + 1][0 if x % 4 else -1] = last + rows * columns
        grid[-1][-1] = last + rows * columns
        grid = [[min(height, 10**9) for height in row] for row in grid]
    return [[rows, columns], *grid]


def valid(t):
    rows, columns = t.fields((1, 90), (1, 90))
    for _ in range(rows):
        t.row(columns, 0, 10**9)
