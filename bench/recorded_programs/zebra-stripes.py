def make(r):
    n = r.n(1, 40000, 12)
    k = r.choice([1, n, r.randint(1, n), min(n, 2), max(1, n // 2)])
    shift, noise = r.randrange(2 * k), r.choice([0, 0.1, 0.5])
    planks = ["#" if ((at + shift) // k % 2) ^ (r.random() < noise) else "." for at in range(n)]
    return [[n, k], "".join(planks)]


def valid(t):
    n, k = t.fields((1, 40000), (1, 40000))
    assert k <= n
    t.line(f"[.#]{{{n}}}")
