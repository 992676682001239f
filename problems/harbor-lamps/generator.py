import random


def tests():
    rng = random.Random(301)
    yield [100, [40, 95, 1, 47, 3], 2]
    yield [10, [0, 5], 1]
    yield [12, [3, 3, 7], 2]
    yield [1, [0], 1]
    yield [10, [0, 2, 4, 6, 8], 1]
    yield [10**9, [0, 10**9 - 1], 1]
    yield [10**9, [0, 333333333, 666666666], 2]
    yield [30, [0, 10, 11, 20, 21, 29], 3]
    for size, lamps in ((30, 2), (50, 3), (80, 4)):
        yield [size, [rng.randrange(size) for _ in range(12)], lamps]
    yield [10**9, [rng.randrange(10**9) for _ in range(3000)], 1000]
    yield [10**9, [rng.randrange(10**9) for _ in range(3000)], 3]
    yield [10**6, [i * 300 for i in range(3000)], 1499]
    yield [10**9, [rng.randrange(10**9) for _ in range(2000)], 2999]
    # Where no best way leaves the widest gap dark.
    yield [13, [2, 5, 8, 10, 12], 2]
    yield [27, [2, 5, 12, 20, 24], 2]
    rng = random.Random(1)
    yield [10**9, [rng.randrange(10**9) for _ in range(300)], 40]
