"""Replies with programs in languages that are read by their braces or by their lines."""

from __future__ import annotations

import pytest

from microcoder_eval.extract import extract
from microcoder_eval.extract.tags import GRADED, language_of
from microcoder_eval.languages.table import LANGUAGES, PYTHON
from tests.eval.extract.replies import fenced

pytestmark = pytest.mark.fast

PROGRAMS = {
    "kotlin": "fun main() {\n    val n = readLine()!!.toInt()\n    println(n)\n}",
    "scala": "object Main {\n  def main(args: Array[String]): Unit = {\n    println(1)\n  }\n}",
    "csharp": "using System;\nclass P\n{\n    static void Main() { Console.WriteLine(1); }\n}",
    "php": "<?php\n$n = intval(fgets(STDIN)); # don't\nif ($n) {\n    echo $n;\n}",
    "ruby": "n = gets.to_i # don't\n3.times do |i|\n  puts i if n > i\nend\ndef f(x)\n  x + 1\nend\nputs f(n)",
    "haskell": "module Main where\n\nmain :: IO ()\nmain = do\n  n <- readLn :: IO Int\n  print (foldl' (+) 0 [n])",
}
CPP = "#include <iostream>\nint main() {\n    std::cout << 1;\n}"
JAVASCRIPT = "const n = require('fs').readFileSync(0, 'utf8');\nconsole.log(Number(n) + 1);"
TAGS = {
    "kotlin": ("kotlin", "kt"),
    "scala": ("scala",),
    "csharp": ("csharp", "c#", "cs"),
    "php": ("php", "PHP"),
    "ruby": ("ruby", "rb"),
    "haskell": ("haskell", "hs"),
}


@pytest.mark.parametrize("language", PROGRAMS)
def test_a_tagged_block_is_found_among_others(language: str) -> None:
    code = PROGRAMS[language]
    for tag in TAGS[language]:
        reply = f"In Python:\n```python\nprint(1)\n```\nSo:\n```{tag}\n{code}\n```\nIt prints:\n```\n1\n```\n"
        found = extract(reply, language=language)
        assert (found.code, found.language, found.complete) == (code, language, True)


@pytest.mark.parametrize("language", PROGRAMS)
def test_an_untagged_block_is_read(language: str) -> None:
    found = extract(f"Here it is.\n```\n{PROGRAMS[language]}\n```", language=language)
    assert (found.code, found.complete) == (PROGRAMS[language], True)


@pytest.mark.parametrize("language", sorted(PROGRAMS))
def test_a_program_alone_is_read(language: str) -> None:
    assert extract(PROGRAMS[language], language=language).code == PROGRAMS[language]


@pytest.mark.parametrize("language", ["ruby", "haskell", "kotlin", "scala", "php"])
def test_prose_is_no_program(language: str) -> None:
    reply = "We sort the numbers first. Then we take the largest one.\nThat is all that is needed here, I think."
    assert extract(reply, language=language).code is None


def test_a_cut_off_ruby_program_is_not_complete() -> None:
    found = extract("```ruby\ndef f(x)\n  if x > 1\n    puts x\n", language="ruby")
    assert (found.code, found.complete) == ("def f(x)\n  if x > 1\n    puts x", False)


BARE = "n = int(input())\nprint(n)"


def test_with_fences_only_bare_code_is_none() -> None:
    assert extract(BARE).code == BARE
    found = extract(BARE, fences_only=True)
    assert found.code is None
    assert found.note == "no block in fences holds a python program"
    fenced = f"So:\n\n{BARE}\n\n```python\nprint(2)\n```"
    assert extract(fenced, fences_only=True).code == "print(2)"
    assert extract("def f(x):\n    return 1\n\n```text\nno code at all here\n```", fences_only=True).code is None
    assert extract("    return x + 1", starter_code="def f(x):", entry_point="f", fences_only=True).code is None


def test_the_languages_that_a_reply_may_name_are_those_that_the_grader_knows() -> None:
    assert {PYTHON, *LANGUAGES} & set(map(language_of, (PYTHON, *LANGUAGES))) == GRADED


@pytest.mark.parametrize(
    ("language", "program", "beside"),
    [
        ("csharp", PROGRAMS["csharp"], "var line = Console.ReadLine();"),
        ("javascript", JAVASCRIPT, "console.log(total([1, 2])); // 3"),
        ("javascript", JAVASCRIPT, "const rl = require('readline');"),
        ("cpp", CPP, "ios::sync_with_stdio(false);"),
    ],
)
def test_a_snippet_beside_a_program_does_not_win(language: str, program: str, beside: str) -> None:
    assert extract(f"{fenced(program, language)}\nOr:\n{fenced(beside, language)}", language=language).code == program


@pytest.mark.parametrize(
    ("language", "first", "last"),
    [
        (
            "javascript",
            JAVASCRIPT,
            "const fs = require('fs');\nconst data = Buffer.alloc(9);\nfs.readSync(0, data);\nfs.writeSync(1, data);",
        ),
        (
            "csharp",
            PROGRAMS["csharp"],
            "using System;\nif (Console.ReadLine() is string line) {\n    Console.WriteLine(line);\n}",
        ),
    ],
    ids=["javascript", "csharp"],
)
def test_a_program_may_read_and_print_without_an_entry_point(language: str, first: str, last: str) -> None:
    assert extract(f"{fenced(first, language)}\nOr:\n{fenced(last, language)}", language=language).code == last


def test_a_program_in_cpp_may_be_tagged_as_c() -> None:
    assert extract(fenced(CPP, "c"), language="cpp").code == CPP
    assert extract(f"{fenced(CPP, 'cpp')}\n{fenced('int main() {}', 'c')}", language="cpp").code == CPP


TICKS = "```"
WITH_FENCES = {
    "cpp": f'int main() {{\n    puts(R"({TICKS}\nsay "hi\n{TICKS}\n)");\n    puts(R"--(\n{TICKS}\n)" )--");\n}}',
    "rust": f'fn main() {{\n    println!(r#"\n{TICKS}\n"quoted"\n"#);\n}}',
    "java": f'class Main {{\n  public static void main(String[] a) {{\n    var s = """\n{TICKS}\n""";\n  }}\n}}',
    "kotlin": f'fun main() {{\n    println("""\n{TICKS}\na "word"\n{TICKS}\n""")\n}}',
    "scala": f'object Main extends App {{\n  println("""\n{TICKS}\n""")\n}}',
}


@pytest.mark.parametrize("language", WITH_FENCES)
@pytest.mark.parametrize("tag", ["", "tagged"])
def test_a_fence_in_a_string_of_several_lines_is_content(language: str, tag: str) -> None:
    code = WITH_FENCES[language]
    found = extract(f"So:\n{TICKS}{language if tag else ''}\n{code}\n{TICKS}\nThat is it.", language=language)
    assert (found.code, found.complete) == (code, True)


@pytest.mark.parametrize(
    "code",
    [
        'int main() {\n    puts("R\\"(");\n}',  # no raw string: it is in another one
        'int main() {\n    // R"(\n    puts("");\n}',
        'int main() {\n    puts("""");\n}',  # two empty strings
    ],
)
def test_what_looks_like_a_raw_string_and_is_none_ends_at_its_fence(code: str) -> None:
    found = extract(f"{TICKS}cpp\n{code}\n{TICKS}\nIt prints:\n{TICKS}\n)\n{TICKS}", language="cpp")
    assert (found.code, found.complete) == (code, True)


def test_a_raw_string_that_nothing_closes_does_not_swallow_the_reply() -> None:
    found = extract(f'{TICKS}cpp\nauto s = R"(abc;\n{TICKS}\nSo it is.\n{TICKS}cpp\n{CPP}\n{TICKS}', language="cpp")
    assert found.code == CPP
