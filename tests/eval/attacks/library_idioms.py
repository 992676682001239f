"""How tests compare by way of the standard library: what it makes of a program's value is compared."""

from __future__ import annotations

import re
import sys

from tests.eval.attacks.idioms import Idiom

_MODULES = {"array", "ast", "base64", "bisect", "collections", "copy", "csv", "datetime", "difflib", "fnmatch",
            "fractions", "functools", "hashlib", "heapq", "io", "ipaddress", "itertools", "math", "operator", "pickle",
            "random", "string", "struct", "textwrap", "types", "urllib.parse", "uuid", "zlib"}  # fmt: skip
_LINES: dict[str, tuple[str, str]] = {
    # the assertion, and what is right
    "deque": ("collections.deque(f(2)) == collections.deque([5, 6])", "[5, 6]"),
    "chain-map": ("collections.ChainMap(f(2))['a'] == 5", "{'a': 5}"),
    "ordered-dict": ("collections.OrderedDict(f(2)) == {'a': 5}", "{'a': 5}"),
    "default-dict": ("collections.defaultdict(int, f(2))['a'] == 5", "{'a': 5}"),
    "most-common": ("collections.Counter(f(2)).most_common(1) == [(5, 2)]", "[5, 5, 6]"),
    "user-list": ("collections.UserList(f(2)) == [5, 6]", "[5, 6]"),
    "dict-of-pairs": ("dict(f(2)) == {'a': 5}", "[('a', 5)]"),
    "dict-from-keys": ("dict.fromkeys(f(2), 1) == {5: 1, 6: 1}", "[5, 6]"),
    "dict-merged": ("{'b': 1} | f(2) == {'a': 5, 'b': 1}", "{'a': 5}"),
    "dict-unfolded": ("{**f(2)} == {'a': 5}", "{'a': 5}"),
    "heap-merged": ("list(heapq.merge(f(2), [7])) == [5, 6, 7]", "[5, 6]"),
    "heap-smallest": ("heapq.nsmallest(1, f(2)) == [5]", "[6, 5]"),
    "bisected": ("bisect.bisect_left(f(2), 6) == 1", "[5, 6, 7]"),
    "item-getter": ("operator.itemgetter('a')(f(2)) == 5", "{'a': 5}"),
    "method-caller": ("operator.methodcaller('upper')(f(2)) == 'HELLO'", "'Hello'"),
    "deep-copy": ("copy.deepcopy(f(2)) == [5, 6]", "[5, 6]"),
    "pickled": ("pickle.loads(pickle.dumps(f(2))) == [5, 6]", "[5, 6]"),
    "namespace": ("types.SimpleNamespace(x=f(2)) == types.SimpleNamespace(x=5)", "5"),
    "mock-call": ("mock.call(f(2)) == mock.call(5)", "5"),
    "array": ("array.array('i', f(2)) == array.array('i', [5, 6])", "[5, 6]"),
    "time-delta": ("datetime.timedelta(days=f(2)) == datetime.timedelta(days=5)", "5"),
    "iso-date": ("datetime.date.fromisoformat(f(2)).day == 5", "'2020-01-05'"),
    "address": ("str(ipaddress.ip_address(f(2))) == '10.0.0.5'", "'10.0.0.5'"),
    "uuid": ("uuid.UUID(f(2)).int == 5", "'00000000-0000-0000-0000-000000000005'"),
    "fraction-of": ("fractions.Fraction(f(2)) == fractions.Fraction(1, 2)", "'1/2'"),
    "int-of-base": ("int(f(2), 16) == 255", "'ff'"),
    "int-of-bytes": ("int.from_bytes(f(2), 'big') == 5", "b'\\x05'"),
    "chr-of": ("chr(f(2)) == 'A'", "65"),
    "ord-of": ("ord(f(2)) == 65", "'A'"),
    "bin-of": ("bin(f(2)) == '0b101'", "5"),
    "divmod-of": ("divmod(f(2), 3) == (1, 2)", "5"),
    "pow-of": ("pow(f(2), 2, 7) == 4", "5"),
    "product-of": ("math.prod(f(2)) == 30", "[5, 6]"),
    "gcd-of": ("math.gcd(f(2), 10) == 5", "5"),
    "factorial-of": ("math.factorial(f(2)) == 120", "5"),
    "distance": ("math.dist(f(2), [0, 0]) == 5.0", "[3, 4]"),
    "square-root": ("math.isqrt(f(2)) == 5", "26"),
    "range-of": ("list(range(f(2))) == [0, 1, 2, 3, 4]", "5"),
    "enumerated": ("list(enumerate(f(2))) == [(0, 5), (1, 6)]", "[5, 6]"),
    "reversed": ("list(reversed(f(2))) == [6, 5]", "[5, 6]"),
    "zipped": ("list(zip(f(2), 'ab')) == [(5, 'a'), (6, 'b')]", "[5, 6]"),
    "accumulated": ("list(itertools.accumulate(f(2))) == [5, 11]", "[5, 6]"),
    "chained": ("list(itertools.chain.from_iterable(f(2))) == [5, 6]", "[[5], [6]]"),
    "cut-off": ("list(itertools.islice(f(2), 2)) == [5, 6]", "[5, 6, 7]"),
    "permuted": ("len(set(itertools.permutations(f(2)))) == 6", "[5, 6, 7]"),
    "digest": ("hashlib.sha256(f(2)).hexdigest()[:4] == 'fb8e'", "b'ab'"),
    "checksum": ("zlib.crc32(f(2)) == zlib.crc32(b'ab')", "b'ab'"),
    "base64": ("base64.b64encode(f(2)) == b'YWI='", "b'ab'"),
    "unpacked-bytes": ("struct.unpack('<h', f(2)) == (5,)", "b'\\x05\\x00'"),
    "dedented": ("textwrap.dedent(f(2)) == 'a\\nb'", "'  a\\n  b'"),
    "similar": ("difflib.SequenceMatcher(None, f(2), 'Hello').ratio() > 0.99", "'Hello'"),
    "file-match": ("fnmatch.fnmatch(f(2), 'Hel*o')", "'Hello'"),
    "literal": ("ast.literal_eval(f(2)) == [5]", "'[5]'"),
    "table": ("list(csv.reader(f(2))) == [['5', '6']]", "['5,6']"),
    "stream": ("io.StringIO(f(2)).read() == 'Hello'", "'Hello'"),
    "query": ("urllib.parse.parse_qs(f(2)) == {'a': ['5']}", "'a=5'"),
    "template": ("string.Template('$a').substitute(f(2)) == '5'", "{'a': 5}"),
    "format-map": ("'{a}'.format_map(f(2)) == '5'", "{'a': 5}"),
    "percent-names": ("'%(a)s' % f(2) == '5'", "{'a': 5}"),
    "format-item": ("'{0[0]}'.format(f(2)) == '5'", "[5]"),
    "reduced": ("functools.reduce(lambda a, b: a * 10 + b, f(2)) == 56", "[5, 6]"),
    "mapped": ("list(map(str, f(2))) == ['5', '6']", "[5, 6]"),
    "replaced": ("'a-b'.replace('-', f(2)) == 'a+b'", "'+'"),
    "split-by": ("'a+b'.split(f(2)) == ['a', 'b']", "'+'"),
    "joined-by": ("f(2).join('ab') == 'a+b'", "'+'"),
    "translated": ("'ab'.translate(f(2)) == 'bb'", "{97: 'b'}"),
    "counted-in": ("'hello'.count(f(2)) == 2", "'l'"),
    "found-in": ("'hello'.index(f(2)) == 2", "'l'"),
    "starts-with-it": ("'hello'.startswith(f(2)) and len(f(2)) == 2", "'he'"),
    "index-by": ("['a', 'b', 'c'][f(2)] == 'c'", "2"),
    "repeated": ("'a' * f(2) == 'aaaaa'", "5"),
    "shuffled": ("random.Random(f(2)).random() == random.Random(5).random()", "5"),
}


def _tests(line: str) -> str:
    """The assertion after its imports; a module costs each of the attacks its time."""
    imports = [f"import {module}\n" for module in sorted(_MODULES) if re.search(rf"\b{module}\.", line)]
    imports += ["from unittest import mock\n"] if "mock." in line else []
    return "".join([*imports, f"assert {line}"])


LIBRARY = {f"library-{name}": Idiom(_tests(line), right) for name, (line, right) in _LINES.items()}
_GROUP = """try:
    f(2)
except* ValueError as group:
    assert group.exceptions[0].args == (5,)
else:
    assert False
"""
if sys.version_info >= (3, 11):
    LIBRARY["library-group-args"] = Idiom(_GROUP, "")
