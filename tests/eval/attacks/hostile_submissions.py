# ruff: noqa: E501 - programs, each on the line that names it
"""Submissions that want to end a trusted process: returned values, outputs, messages, class files, compiler input."""

from __future__ import annotations

from typing import Any

from microcoder_eval import Problem
from tests.eval.attacks.grading import REFUSED, Attack

ANY_BUT_ACCEPTED = (REFUSED,)
CALL = Problem.from_dict(
    {"id": "call", "kind": "call", "entry_point": "f", "tests": [{"input": [1], "output": [1, {"a": [2.5]}]}]}
)
VALUES: dict[str, bytes] = {
    "nothing": b"",
    "deep-lists": b'{"r": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "deep-objects": b'{"r":' * 100_000,
    "deep-tuples": b'{"r": ' + b'{"t": [' * 5000 + b"]}" * 5000 + b"}",
    **{f"levels-{n}": b'{"r": ' + b"[" * n + b"]" * n + b"}" for n in (150, 300, 320, 480, 900, 980)},
    **{f"tuple-levels-{n}": b'{"r": ' + b'{"t": [' * n + b"]}" * n + b"}" for n in (100, 150, 240, 320)},
    **{f"first-levels-{n}": b'{"r": [' + b"[" * n + b"]" * n + b', {"a": [2.5]}]}' for n in (150, 240, 300, 450)},
    "integer-with-a-number": b'{"r": {"i": 5}}',
    "integer-null": b'{"r": {"i": null}}',
    "integer-endless": b'{"r": {"i": "0x' + b"f" * 8_000_000 + b'"}}',
    "integer-plain-endless": b'{"r": ' + b"9" * 6000 + b"}",
    "integer-very-endless": b'{"r": ' + b"9" * 5_000_000 + b"}",
    "float-list": b'{"r": {"f": []}}',
    "float-huge": b'{"r": {"f": 1' + b"0" * 400 + b"}}",
    "float-beyond": b'{"r": [1e999, {"a": [1e999]}]}',
    "float-nan": b'{"r": [NaN, {"a": [NaN]}]}',
    "complex-of-text": b'{"r": {"c": ["1", 2]}}',
    "complex-of-opaque": b'{"r": {"c": [{"o": "x"}, 2]}}',
    "complex-of-nothing": b'{"r": {"c": []}}',
    "bytes-odd": b'{"r": {"b": "abc"}}',
    "bytes-number": b'{"r": {"b": 5}}',
    "set-of-lists": b'{"r": {"s": [[1]]}}',
    "set-of-text": b'{"r": {"s": "abc"}}',
    "dict-of-lists": b'{"r": {"d": [[[1], 2]]}}',
    "dict-of-one": b'{"r": {"d": [[1]]}}',
    "dict-number": b'{"r": {"d": 5}}',
    "sequence-of-one": b'{"r": {"q": [1]}}',
    "sequence-number": b'{"r": {"q": 5}}',
    "sequence-of-sequences": b'{"r": ' + b'{"q": ["x", ' * 400 + b"1" + b"]}" * 400 + b"}",
    "opaque-object": b'{"r": {"o": {"a": 1}}}',
    "opaque-control": b'{"r": {"o": "\\u001b]0;x\\u0007"}}',
    "unknown-tag": b'{"r": {"z9": 1}}',
    "two-tags": b'{"r": {"t": [], "s": []}}',
    "no-tag": b'{"r": {}}',
    "no-result": b'{"a": [1, {"a": [2.5]}]}',
    "list": b"[1]",
    "text": b'"r"',
    "in-place-deep": b'{"r": null, "a": ' + b"[" * 900 + b"]" * 900 + b"}",
    "not-utf-8": b'{"r": "\xff"}',
    "surrogates": b'{"r": "\\ud800"}',
    "nul": b'{"r": 1}\0',
    "colliding-keys": b'{"r": {"s": [' + b", ".join(b"%d" % (n * ((1 << 61) - 1)) for n in range(50_000)) + b"]}}",
    "many-small": b'{"r": [' + b"[]," * 1_000_000 + b"1]}",
}
RETURNS: dict[str, str] = {
    "evil-list-length": "class L(list):\n    __len__ = lambda s: -1\n    __iter__ = lambda s: iter([s])\nf = lambda x: L([1])",
    "list-in-itself": "def f(x):\n    a = [x]\n    a.append(a)\n    return a",
    "very-deep": "def f(x):\n    a = []\n    for _ in range(10 ** 6): a = [a]\n    return a",
    "five-million-digits": "f = lambda x: 10 ** 5_000_000",
    "evil-type-name": "f = lambda x: type('\\x1b]0;x\\x07' * 1000, (), {})()",
    "surrogate-type-name": "f = lambda x: type('\\udcff', (), {})()",
    "huge-exception-text": "def f(x): raise ValueError('x' * 10 ** 8)",
    "surrogate-exception-text": "def f(x): raise ValueError('\\udcff\\ud800')",
    "exception-in-exception-text": "class E(Exception):\n    def __str__(s): raise s\ndef f(x): raise E()",
    "sparse-answer": "import os\ndef f(x):\n    os.ftruncate(6, 1 << 26)\n    os._exit(0)",
}
STDIN = Problem.from_dict(
    {"id": "stdin", "tests": [{"input": "", "output": "1.5 [2, 3]\n{'a': 4}\n"}], "memory_limit_mb": 256}
)
CHECKERS: dict[str, dict[str, Any]] = {
    "tokens": {"kind": "tokens"},
    "float": {"kind": "float", "abs": 1e-6, "rel": 1e-6},
    "lines": {"kind": "unordered", "of": "lines"},
}
OUTPUTS: dict[str, str] = {
    "brackets": "b'[' * 50_000",
    "brackets-closed": "b'[' * 50_000 + b']' * 50_000",
    "brackets-as-first": "b'1.5 ' + b'[' * 400 + b']' * 400 + b' 3]\\n' + b'{' * 400",
    "braces": "b'{' * 50_000 + b'}' * 50_000",
    "parentheses-with-commas": "b'(1,' * 20_000 + b')' * 20_000",
    "minuses": "b'-' * 50_000 + b'1'",
    "huge-exponents": "b'1e999999999 [1e999999999, 1e-999999999]\\n{1e99999999: 1}'",
    "huge-exponents-of-integers": "b'1e50000000 [2, 3]\\n{0x' + b'f' * 100_000 + b': 4}'",
    "nan": "b'nan [nan, inf]\\n{nan: -inf}'",
    "five-million-digits": "b'9' * 5_000_000 + b' [2, 3]'",
    "digits-and-point": "b'1.' + b'5' * 5_000_000 + b' [2, 3]'",
    "underscores": "b'1_5 [2_0, 3]\\n{1__0: 4}'",
    "arabic-digits": "'١.٥ [٢, ٣]\\n'.encode()",
    "superscripts": "'¹.⁵ ² ½ Ⅷ 一\\n'.encode()",
    "not-utf-8": "b'\\xff\\xfe1.5 [2, 3]' * 1000",
    "surrogates": "'\\ud800\\udcff'.encode('utf-8', 'surrogatepass') * 1000",
    "nul": "b'1.5\\0 [2, 3]\\0'",
    "spaces": "b' ' * 30_000_000",
    "line-breaks": "b'\\n' * 20_000_000",
    "many-tokens": "b'1.5 ' * 5_000_000",
    "quotes": "b'\"' * 100_001 + b\"'\" * 100_001",
    "backslashes": "b\"'\" + b'\\\\' * 100_001 + b\"'\"",
    "escapes": 'b\'["\\\\ud800", "\\\\N{LATIN}", "\\\\x"]\' * 100',
    "call": "b'__import__(\"os\")._exit(0)'",
    "power": "b'9**9**9**9 [2, 3]'",
    "multiplied-list": "b'[0]*10**10 1.5'",
    "attributes": "b'a' + b'.a' * 50_000",
    "sums": "b'1' + b'+1' * 50_000",
    "colliding-integers": "b'{' + b', '.join(b'%d' % (n * ((1 << 61) - 1)) for n in range(50_000)) + b'}'",
    "unordered-worst-case": "b'\\n'.join(b'%d.0000001' % n for n in range(100_000))",
}
PRINT = "import os\ndata = memoryview({expression})\nwhile data: data = data[os.write(1, data):]\n"
STDERR = "import os\nos.write(2, {words!r})\nos._exit({status})\n"
ERRORS: dict[str, tuple[bytes, int]] = {
    "says-out-of-memory": (b"MemoryError", 1),
    "says-compiler-lost": (b"microcoder_eval.sandbox.asserts.channel.Broken: x", 1),
    "not-utf-8": (b"\xff\xfe" * 1000, 1),
    "endless-line": (b"x" * 3_000_000, 1),
    "control": (b"\x1b]0;x\x07\x1b[2J\x9b31m", 1),
    "status-200": (b"", 200),
}
JAVA = "public class Main {{ public static void main(String[] a) {{ System.out.println({what}); }} }}"
CPP = "#include <cstdio>\nint main() {{ {body} }}\n"
COMPILED: dict[str, tuple[str, str]] = {
    "java-package-1500": ("java", f"package {'.'.join('a' * 1500)};\n" + JAVA.format(what="1")),
    "java-package-900": ("java", f"package {'.'.join('a' * 900)};\n" + JAVA.format(what="1")),
    "java-package-long-parts": ("java", f"package {'.'.join(['b' * 200] * 18)};\n" + JAVA.format(what="1")),
    "java-class-name-long": ("java", f"class {'C' * 250} {{}}\n" + JAVA.format(what="1")),
    "java-class-name-too-long": ("java", f"public class {'C' * 5000} {{ public static void main(String[] a) {{}} }}"),
    "java-nested-300": ("java", "class A {" * 300 + "}" * 300 + JAVA.format(what="1")),
    "java-many-classes": ("java", "".join(f"class C{n} {{}}\n" for n in range(2000)) + JAVA.format(what="1")),
    "java-name-not-ascii": ("java", "public class Größe\u0301 { public static void main(String[] a) {} }"),
    "java-name-escaped": ("java", r"public class \u002e\u002e\u002fX { public static void main(String[] a) {} }"),
    "java-public-in-comment": ("java", "/* public class ../../X */ " + JAVA.format(what="1")),
    "java-constants": ("java", "class main { String s = \"([Ljava/lang/String;)V\"; void main() {} }"),
    "java-deep-expression": ("java", JAVA.format(what="(" * 5000 + "1" + ")" * 5000)),
    "java-no-class": ("java", "// nothing"),
    "java-module": ("java", "module a { }"),
    "java-manifest": ("java", "package META_INF; " + JAVA.format(what="1")),
    "java-deep-output": ("java", JAVA.format(what='"[".repeat(50000)')),
    "cpp-deep-parentheses": ("cpp", CPP.format(body=f"return {'(' * 20_000}0{')' * 20_000};")),
    "cpp-deep-blocks": ("cpp", CPP.format(body="{" * 50_000 + "}" * 50_000)),
    "cpp-error-flood": ("cpp", "\n".join(f"x{n} y{n};" for n in range(20_000))),
    "cpp-error-control": ("cpp", '#error "\x1b]0;x\x07\x1b[2J"\n'),
    "cpp-error-bytes": ("cpp", '#error "\udcff"\n'.replace("\udcff", "\u0085\u202e")),
    "cpp-includes-itself": ("cpp", "#include __FILE__\n"),
    "cpp-includes-stdin": ("cpp", '#include "/dev/stdin"\n'),
    "cpp-includes-endless": ("cpp", '#include "/dev/zero"\n'),
    "cpp-huge-data": ("cpp", "char a[1u << 31] = {1}; int main() {}"),
    "cpp-assembler-repeats": ("cpp", 'asm(".rept 1000000000\\n.byte 1\\n.endr"); int main() {}'),
    "cpp-macro-doubling": ("cpp", "#define A0 x,\n" + "".join(f"#define A{n} A{n - 1} A{n - 1}\n" for n in range(1, 40)) + "int x = (A39 0);"),
    "cpp-not-linked": ("cpp", "int f(); int main() { return f(); }"),
    "cpp-nul": ("cpp", "int main() {}\0\0"),
    "c-deep-declarator": ("c", "int " + "*" * 5_000 + "p; int main() { return 1; }"),
    "javascript-deep": ("javascript", "console.log(" + "[" * 50_000 + "]" * 50_000 + ")"),
    "javascript-brackets-out": ("javascript", "console.log('['.repeat(50000))"),
    "javascript-huge-error": ("javascript", "throw new Error('x'.repeat(1e8))"),
    "rust-includes": ("rust", 'fn main() { println!("{}", include_str!("/dev/zero")); }'),
}  # fmt: skip
MESSAGES: dict[str, bytes] = {
    "integer-endless": b'.["ok", [], ' + b"9" * 50_000 + b', ""]',
    "deep": b'.["ok", [], ' + b"[" * 900 + b"]" * 900 + b', ""]',
    "word-list": b'.[["ok"], [], 1, ""]',
    "word-number": b".[5]",
    "word-only": b'.["ok"]',
    "changes-number": b'.["ok", 5, 1, ""]',
    "changes-far": b'.["ok", [[99999, [1]]], 1, ""]',
    "printed-number": b'.["ok", [], 1, 5]',
    "printed-object": b'.["ok", [], 1, {"a": 1}]',
    "tag-two": b'.["ok", [], {"t": [1], "i": "5"}, ""]',
    "reference-negative": b'.["ok", [], {"r": -1}, ""]',
    "range-huge": b'.["ok", [], {"x": ["builtins.range", [0, 1e99, 1]]}, ""]',
    "decimal-huge": b'.["ok", [], {"x": ["decimal.Decimal", ["1e999999999"]]}, ""]',
    "fraction-zero": b'.["ok", [], {"x": ["fractions.Fraction", [1, 0]]}, ""]',
    "array-huge": b'.["ok", [], {"a": ["<f8", [1000000000, 1000000000], []]}, ""]',
    "array-of-objects": b'.["ok", [], {"a": ["|O", [1], [1]]}, ""]',
    "deque-number": b'.["ok", [], {"q": [-5, [1]]}, ""]',
    "dict-odd": b'.["ok", [], {"d": [null, [1, 2, 3]]}, ""]',
    "handle-text": b'.["ok", [], {"h": ["a", {"n": "int"}, null, null]}, ""]',
    "handle-class-deep": b'.["ok", [], {"h": [1, {"k": [1, "A", "m", ['
    + b'{"k": [2, "B", "m", [' * 200
    + b"]}" * 200
    + b']]}, null, null]}, ""]',
    "class-of-bool": b'.["ok", [], {"k": [1, "A", "m", [{"n": "bool"}, {"n": "ValueError"}]]}, ""]',
    "class-name-list": b'.["ok", [], {"k": [1, [], "m", []]}, ""]',
    "error-list": b'.["raise", [], [], ""]',
    "error-keyboard": b'.["raise", [], {"number": 1, "class": {"n": "KeyboardInterrupt"}, "text": "", "line": 0, "arguments": [], "attributes": []}, ""]',
    "error-group": b'.["raise", [], {"number": 1, "class": {"n": "ExceptionGroup"}, "text": "", "line": 0, "arguments": [], "attributes": []}, ""]',
    "error-unicode": b'.["raise", [], {"number": 1, "class": {"n": "UnicodeDecodeError"}, "text": 5, "where": [], "arguments": [1], "attributes": []}, ""]',
    "request-next": b'.["next", [{"own": 99999}], {}]',
    "request-named": b'.["call", [{"own": 0}], {"__self": 1}]',
}
TALK = Problem.from_dict(
    {
        "id": "talk", "kind": "interactive", "tests": [{"input": "5"}],
        "interactor": {"code": "def interact(input, read_line, write_line):\n    write_line(input)\n    return int(read_line()) == 25, 'squared'\n"},
    }
)  # fmt: skip
SPEECHES: dict[str, str] = {
    "no-line-break": "b'2' * 20_000_000",
    "not-utf-8": "b'\\xff\\n'",
    "digits": "b'9' * 5_000_000 + b'\\n'",
    "nothing": "b''",
    "nul": "b'\\0\\n'",
    "text": "b'abc\\n'",
    "arabic": "'٢٤\\n'.encode()",
}


def attacks() -> list[Attack]:
    found = []
    for name, answer in VALUES.items():
        literal = repr(answer) if len(answer) < 2000 else _packed(answer)
        code = f"import os, zlib\ndef f(x):\n    data = memoryview({literal})\n    while data: data = data[os.write(6, data):]\n    os._exit(0)\n"
        found.append(Attack(f"value-{name}", CALL, code))
    found += [Attack(f"returns-{name}", CALL, code) for name, code in RETURNS.items()]
    for checker, record in CHECKERS.items():
        problem = Problem.from_dict({**STDIN.to_dict(), "id": f"stdin-{checker}", "checker": record})
        for name, expression in OUTPUTS.items():
            found.append(Attack(f"output-{checker}-{name}", problem, PRINT.format(expression=expression)))
    for name, (words, status) in ERRORS.items():
        found.append(Attack(f"stderr-{name}", STDIN, STDERR.format(words=words, status=status)))
    for name, (language, code) in COMPILED.items():
        found.append(Attack(name, STDIN, code, language=language))
    tests = Problem.from_dict({"id": "asserts", "kind": "asserts", "entry_point": "f", "test_code": "assert f(1) == 2"})
    for name, message in MESSAGES.items():
        found.append(
            Attack(f"message-{name}", tests, f"import os\ndef f(x):\n    os.write(5, {message!r})\n    return 1\n")
        )
    for name, expression in SPEECHES.items():
        found.append(Attack(f"speech-{name}", TALK, PRINT.format(expression=expression)))
    return found


def _packed(answer: bytes) -> str:
    import zlib

    return f"zlib.decompress({zlib.compress(answer, 9)!r})"
