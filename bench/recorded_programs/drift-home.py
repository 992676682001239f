def make(r):
    n = r.n(1, 60, 5)
    currents = []
    for a in range(1, n):  # a way home from everywhere, so that the answer stays small
        currents.append([a, r.randint(a + 1, n), r.randint(30, 100)])
    for _ in range(r.randint(0, 2 * n) if r.kind != "largest" else 1400):
        a = r.randint(1, n)
        currents.append([a, r.randint(max(1, a - 3), n), r.randint(1, 10 if r.number % 2 else 100)])
    if r.number % 4 == 3:  # a trap, or none that can be reached
        currents = [one for one in currents if one[0] != n // 2]
    if r.number % 4 == 2:
        currents = [[a, b, w] for a, b, w in currents if b != n // 2 or a > b]
        currents = [one for one in currents if one[0] != n // 2] if r.random() < 0.5 else currents
    if r.kind == "against" and n > 2:  # a buoy that nothing leads to, and that leads nowhere
        alone = n - 1
        currents = [one for one in currents if alone not in one[:2]] + [[alone, alone, r.randint(1, 9)]] * r.randint(0, 2)
    r.shuffle(currents)
    return [[n, len(currents)], *currents]


def valid(t):
    n, m = t.fields((1, 60), (0, 1500))
    leads = [{} for _ in range(n + 1)]
    for _ in range(m):
        a, b, w = t.fields((1, n), (1, n), (1, 100))
        leads[a][b] = leads[a].get(b, 0) + w
    home, reached = {n}, {1}
    for _ in range(n):
        home |= {a for a in range(1, n + 1) if home & leads[a].keys()}
        reached |= {b for a in reached if a != n for b in leads[a]}
    if reached <= home:  # else the answer is -1
        hours = [0.0] * (n + 1)
        for _ in range(400):
            for a in reached - {n}:
                total = sum(leads[a].values()) - leads[a].get(a, 0)
                hours[a] = (
                    total + leads[a].get(a, 0) + sum(w * hours[b] for b, w in leads[a].items() if b != a)
                ) / total
        assert hours[1] < 10**5
