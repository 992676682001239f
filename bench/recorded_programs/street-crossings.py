def make(r):
    n = r.n(1, 5000)
    small = r.kind in ("random", "against")
    top = r.choice([2, 4, 9]) if small else 10**9
    if small and n > 12:
        top = 40
    length = top if small else (2 * 10**9 // n)
    rows = []
    for index in range(n):
        x, y = r.randint(-top, top), r.randint(-top, top)
        far = min(top, x + r.randint(1, max(1, length)))
        if r.kind == "largest" and r.number == 1:  # a comb: every stem ends on the back
            x, y, far = (-top, 0, top) if index == 0 else (0, 2 * index, top)
            row = [x, y, far, y] if index == 0 else [y - n, 0, y - n, top]
            rows.append(row)
            continue
        if far == x:
            x -= 1
        row = [x, y, far, y] if r.random() < 0.5 else [y, x, y, far]
        rows.append(row if r.random() < 0.5 else row[2:] + row[:2])
    return [[n], *rows]


def valid(t):
    (n,) = t.row(1, 1, 5000)
    flat, steep = [], []
    for _ in range(n):
        a, b, c, d = t.row(4, -(10**9), 10**9)
        assert (a == c) != (b == d)
        (flat if b == d else steep).append((min(a, c), max(a, c), b) if b == d else (min(b, d), max(b, d), a))
    flat.sort(key=lambda street: street[2])
    from bisect import bisect_left, bisect_right

    heights = [street[2] for street in flat]
    pairs = 0
    for low, high, x in steep:
        for at in range(bisect_left(heights, low), bisect_right(heights, high)):
            pairs += flat[at][0] <= x <= flat[at][1]
    assert pairs <= 5000
