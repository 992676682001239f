"""Programs with loops over a small state, made at random: many never end, many end late. Runs nothing."""

from __future__ import annotations

import random

SETUP = """
i, j, k, x, s = {i}, {j}, 0, {x}, "{s}"
a, b, d, t = {a}, {b}, {d}, {t}
rows = [a, b, a]
it, pairs = iter({long}), iter(zip({long}, {long}))
def counted(seen=[0]):
    seen[0] = (seen[0] + 1) % {m}
    return seen[0]
def closed():
    n = 0
    def step():
        nonlocal n
        n += 1
        return n % {m}
    return step
step = closed()
def changes():
    global k
    k = (k + 1) % {m}
    return k
def reads(v):
    return (v + k) % {m}
class Box:
    total = 0
    def __init__(self):
        self.n = 0
    def up(self):
        self.n = (self.n + 1) % {m}
        return self.n
    def total_up(self):
        Box.total += 1
        return Box.total % {m}
box = Box()
other = box
"""
SIMPLE = r"""
i = (i + {c}) % {m}
j = i
i, j = j, i
k = (i * j + {c}) % {m}
i -= 1
i += 1
i = i // 2
j ^= 1
i = 3 * i + 1 if i % 2 else i // 2
a[i % len(a)] += 1
a[0] = a[-1]
a[i % len(a)] %= {m}
a = b
b = a[:]
a, b = b, a
a.append(i % {m})
a.append(a.pop(0))
if len(a) > 1: a.pop()
a.sort()
a.reverse()
a = [v % {m} for v in a]
b = [(v + 1) % {m} for v in a]
rows[0] = b
rows[1][0] = i
k = rows[2][0] % {m}
d[i % 3] = j
d[k % 3] = d.get(i, 0)
d.pop(i % 3, None)
d = dict(d)
d[0] = d.pop(0, 1)
k = next(iter(d), 0)
k = list(d.values())[-1] if d else 0
t.add(i % {m})
t.discard(j)
k = t.pop() if t else 0
k = len(t)
t = set(t)
t |= {{j}}
t -= {{i}}
for v in t: k = v
s = s[1:] + s[:1]
s = s.replace('a', 'b')
s += 'a'
s = s[:{m}]
k = len(s) % {m}
k = ord(s[0]) % {m} if s else 0
x = x / 2
x = -x
x = x + 1e-17
x = x * x % 1
k = int(x * 8) % {m}
x = 1 / (abs(x) + 1)
k = next(it, 0)
k = next(pairs, (0,))[0]
k = counted()
k = step()
changes()
i = reads(i)
k = box.up()
k = other.n
k = box.total_up()
box.n = i % {m}
other = box
k = Box.total % {m}
k = sum(a) % {m}
k = max(a) % {m}
k = min(b)
k = sum(v for v in a) % {m}
i = any(v > {c} for v in a)
k = sorted(a, key=lambda v: -v)[0] % {m}
k = len(str(i))
k = list(map(reads, a))[0]
i = i > {c}
i = i + 0.0
k = (lambda v: v + 1)(i) % {m}
for v in range({c}): k = (k + v) % {m}
for n, v in enumerate(a): k = (n * v) % {m}
try: k = 1 // i\nexcept ZeroDivisionError: k = 2
k = 0 if i is None else i
i = None if i == {c} else 1
del a[0]; a.append({c})
a[:1] = [i, j]
a[1:] = []
k = isinstance(i, int)
k = 1 in t
k = i in a
k = a is b
"""
CONDITIONS = r"""
i < {c}
i != {c}
k < {m}
k != {c}
a
len(a) < {big}
s
'a' in s
x > 0
x < {c}
d
t
True
i + j < {big}
sum(a) < {big}
a != b
a[0] < {c}
k != i
i % {m} or j
len(s) < {big}
not i
x != 0
reads(i)
counted()
box.n < {c}
len(t) < {big}
0 in d
next(it, 0) < {c}
changes() < {m}
step()
"""
_simple, _conditions = SIMPLE.strip().split("\n"), CONDITIONS.strip().split("\n")


def made_program(draw: random.Random) -> str:
    """A program that calls `ask` and then runs a loop."""
    m, c = draw.choice((2, 3, 5, 7)), draw.randrange(1, 7)
    fill = {"m": m, "c": c, "big": draw.choice((6, 20, 200))}
    numbers = [draw.randrange(m) for _ in range(draw.randrange(1, 5))]
    long = [draw.randrange(3) for _ in range(draw.choice((3, 40)))]
    start = {
        "i": draw.randrange(9),
        "j": draw.randrange(4),
        "x": draw.choice((0.0, 0.5, 1e16)),
        "s": "ab" * draw.randrange(3),
    }
    held = {"a": numbers, "b": numbers[::-1], "d": dict.fromkeys(numbers, 1), "t": {*numbers}, "long": long}
    body = _loop(draw, fill, depth=0)
    lines = ["ask()", *body]
    if draw.random() < 0.3:
        shared = "i, j, k, x, s, a, b, d, t, other"
        body = "\n".join("    " + line for line in "\n".join(lines).split("\n"))
        return f"{SETUP.format(**start, **held, m=m)}\ndef main():\n    global {shared}\n{body}\nmain()\n"
    if draw.random() < 0.3:
        variables = "i=i, j=j, x=x, s=s, a=a, b=b, d=d, t=t, k=0, other=other"
        body = "\n".join("    " + line for line in "\n".join(lines).split("\n"))
        return f"{SETUP.format(**start, **held, m=m)}\ndef main({variables}):\n{body}\nmain()\n"
    return SETUP.format(**start, **held, m=m) + "\n".join(lines) + "\n"


def _loop(draw: random.Random, fill: dict[str, int], depth: int) -> list[str]:
    condition = draw.choice(_conditions).format(**fill)
    return [f"while {condition}:", *_indented(_block(draw, fill, depth + 1))]


def _block(draw: random.Random, fill: dict[str, int], depth: int) -> list[str]:
    lines = []
    for _ in range(draw.randrange(1, 5)):
        chance = draw.random()
        if depth < 3 and chance < 0.08:
            lines += _loop(draw, fill, depth)
        elif depth < 4 and chance < 0.16:
            lines += [f"if {draw.choice(_conditions).format(**fill)}:", *_indented(_block(draw, fill, depth + 1))]
            if draw.random() < 0.5:
                lines += ["else:", *_indented(_block(draw, fill, depth + 1))]
        elif depth < 3 and chance < 0.2:
            over = draw.choice(("range(3)", "a[:3]", "list(d)", "it", "rows", "s"))
            lines += [f"for v in {over}:", *_indented(_block(draw, fill, depth + 1))]
        elif chance < 0.24:
            lines += [
                f"if {draw.choice(_conditions).format(**fill)}:",
                "    " + draw.choice(("break", "continue", "pass")),
            ]
        else:
            lines += draw.choice(_simple).format(**fill).split(r"\n")
    return lines


def _indented(lines: list[str]) -> list[str]:
    return ["    " + line for line in lines]
