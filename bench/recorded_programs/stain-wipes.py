def arguments(r):
    rows, columns = r.n(1, 60, 4), r.n(1, 60, 4)
    share = r.choice([0, 0.1, 0.3, 0.7, 1])
    wall = ["".join("#" if r.random() < share else "." for _ in range(columns)) for _ in range(rows)]
    return [wall, r.values(rows, 1, 10**6), r.values(columns, 1, 10**6)]


def allowed(wall, row_cost, column_cost):
    assert type(wall) is list and 1 <= len(wall) <= 60 and all(is_word(row, 1, 60, "#.") for row in wall)
    columns = len(wall[0])
    assert all(len(row) == columns for row in wall)
    return wholes(row_cost, len(wall), len(wall), 1, 10**6) and wholes(column_cost, columns, columns, 1, 10**6)
