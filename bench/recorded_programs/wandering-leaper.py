def arguments(r):
    rows, columns = r.n(1, 40, 5), r.n(1, 40, 5)
    share = r.choice([0, 0.1, 0.4])
    board = [["#" if r.random() < share else "." for _ in range(columns)] for _ in range(rows)]
    start = [r.randrange(rows), r.randrange(columns)]
    board[start[0]][start[1]] = "."
    a, b = r.choice([[1, 2], [0, 1], [1, 1], [2, 2], [0, 2], [1, 3], sorted([r.randint(0, 40), r.randint(1, 40)])])
    return [["".join(row) for row in board], start, a, b, r.choice([0, 1, 2, 3, r.randint(0, 60), 10**9, 10**9 - 1])]


def allowed(board, start, a, b, moves):
    assert type(board) is list and 1 <= len(board) <= 40 and all(is_word(row, 1, 40, "#.") for row in board)
    assert len(set(map(len, board))) == 1 and wholes(start, 2, 2, 0, 39) and board[start[0]][start[1]] == "."
    return whole(a, 0, 40) and whole(b, max(1, a), 40) and whole(moves, 0, 10**9)
