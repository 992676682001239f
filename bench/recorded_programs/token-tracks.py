def make(r):
    n, tokens = r.n(1, 5000), r.n(1, 5000)
    order = r.sample(range(1, n + 1), n)
    most = min(8000, n * (n - 1) // 2)
    pairs = {(at, at + 1) for at in range(n - 1)} if r.kind == "largest" and r.number < 2 else set()
    for _ in range(most if r.kind == "largest" else r.randint(0, most)):
        if n > 1 and len(pairs) < most:
            a, b = sorted(r.sample(range(n), 2))
            if r.number % 2 and a + 4 < b:
                b = a + r.randint(1, 4)
            pairs.add((a, b))
    tracks = [[order[a], order[b]] for a, b in sorted(pairs)]
    r.shuffle(tracks)
    return [[n, len(tracks), tokens], *tracks, [r.choice([r.randint(1, n), order[0]]) for _ in range(tokens)]]


def valid(t):
    n, m, tokens = t.fields((1, 5000), (0, 8000), (1, 5000))
    tracks = {tuple(t.row(2, 1, n)) for _ in range(m)}
    assert len(tracks) == m
    t.row(tokens, 1, n)
    into, after = [0] * (n + 1), [[] for _ in range(n + 1)]
    for a, b in tracks:
        into[b] += 1
        after[a].append(b)
    free = [station for station in range(1, n + 1) if not into[station]]
    for station in free:
        for one in after[station]:
            into[one] -= 1
            if not into[one]:
                free.append(one)
    assert len(free) == n
