"""Programs in compiled and other interpreted languages: what is right is accepted, what is not gets its verdict."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from microcoder_eval import Grader, InputError, Problem, Submission, Verdict
from microcoder_eval.languages.table import language_named
from microcoder_eval.languages.toolchain import ToolchainMissing, find_toolchain
from tests.eval.toolchains import SUM, graded, is_here, needs

RIGHT = {
    "cpp": "#include <iostream>\nint main() { long long a, b; std::cin >> a >> b; std::cout << a + b; }",
    "c": '#include <stdio.h>\nint main() { long long a, b; scanf("%lld %lld", &a, &b); printf("%lld", a + b); }',
    "java": """
import java.util.Scanner;
public class Solution {
    static class Helper { static long add(long a, long b) { return a + b; } }
    public static void main(String[] arguments) {
        Scanner in = new Scanner(System.in);
        System.out.println(Helper.add(in.nextLong(), in.nextLong()));
    }
}
""",
    "javascript": 'const [a, b] = require("fs").readFileSync(0, "utf8").split(" ").map(Number); console.log(a + b);',
    "go": 'package main\nimport "fmt"\nfunc main() { var a, b int64; fmt.Scan(&a, &b); fmt.Println(a + b) }',
    "rust": """
use std::io::Read;
fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    println!("{}", text.split_whitespace().map(|word| word.parse::<i64>().unwrap()).sum::<i64>());
}
""",
    "pypy": "import sys\nassert 'PyPy' in sys.version\nprint(sum(map(int, input().split())))",
    "kotlin": 'fun main() { val (a, b) = readLine()!!.split(" ").map { it.toLong() }; println(a + b) }',
    "scala": """
object Solution {
  def main(arguments: Array[String]): Unit = {
    val Array(a, b) = scala.io.StdIn.readLine().split(" ").map(_.toLong)
    println(a + b)
  }
}
""",
    "csharp": """
using System;
using System.Collections.Generic;
using System.Linq;
using System.Numerics;
class Solution {
    static void Main() {
        List<BigInteger> given = Console.ReadLine().Split().Select(BigInteger.Parse).ToList();
        BigInteger a = given[0], b = given[1];
        Console.WriteLine(a + b);
    }
}
""",
    "php": "<?php [$a, $b] = explode(' ', trim(fgets(STDIN))); $add = fn($a, $b) => $a + $b; echo $add($a, $b);",
    "ruby": "a, b = gets.split.map(&:to_i)\nputs a + b",
    "haskell": """
import qualified Data.Map as Map
main :: IO ()
main = do
  [a, b] <- map read . words <$> getLine
  print (a + b + toInteger (Map.size (Map.empty :: Map.Map Int Int)))
""",
}
NO_PROGRAM = {
    "cpp": "int main() { return undefined_name; }",
    "c": "int main() { return undefined_name; }",
    "java": "class Main { void main() { undefined_name(); } }",
    "javascript": "const a = ;",
    "go": "package main\nfunc main() { undefined_name() }",
    "rust": "fn main() { undefined_name(); }",
    "pypy": "print(",
    "kotlin": "fun main() { undefined_name() }",
    "scala": "object Main { def main(a: Array[String]): Unit = undefined_name() }",
    "csharp": "class Program { static void Main() { undefined_name(); } }",
    "php": "<?php echo (;",
    "ruby": "puts (",
    "haskell": "main :: IO ()\nmain = undefined_name",
}


@pytest.mark.parametrize("language", RIGHT)
def test_a_right_program_is_accepted(grader: Grader, language: str) -> None:
    grade = graded(grader, language, RIGHT[language])
    assert (grade.verdict, grade.passed, grade.detail) == (Verdict.ACCEPTED, 3, "")
    assert grade.language == language


@pytest.mark.parametrize("language", RIGHT)
def test_a_wrong_program_is_a_wrong_answer(grader: Grader, language: str) -> None:
    wrong = (
        RIGHT[language]
        .replace("a + b", "a - b")
        .replace("$a + $b", "$a - $b")
        .replace("sum::<i64>()", "max().unwrap()")
        .replace("sum(", "max(")
    )
    assert graded(grader, language, wrong).verdict is Verdict.WRONG_ANSWER


@pytest.mark.parametrize("language", NO_PROGRAM)
def test_a_program_that_does_not_compile_says_where(grader: Grader, language: str) -> None:
    grade = graded(grader, language, NO_PROGRAM[language])
    assert grade.verdict is Verdict.COMPILE_ERROR
    assert "undefined_name" in grade.detail or "yntax" in grade.detail
    assert len(grade.detail) < 2000
    assert "box" not in grade.detail  # the compiler's directory


@pytest.mark.parametrize(
    ("kind", "extra"),
    [
        ("call", {"entry_point": "f", "tests": [{"input": [1], "output": 1}]}),
        ("asserts", {"entry_point": "f", "test_code": "def check(f):\n    assert f(1) == 1"}),
    ],
)
def test_kinds_that_take_python_only_say_so(grader: Grader, kind: str, extra: dict[str, object]) -> None:
    problem = Problem.from_dict({"id": "p", "kind": kind, **extra})
    with pytest.raises(InputError, match=f"kind {kind} takes Python only"):
        grader.grade(problem, Submission("s", "p", code="int main() {}", language="c++"))


def test_a_word_of_any_length_is_looked_up_in_no_time() -> None:
    assert language_named("GNU C++17 (64 bit)") == "cpp17"
    assert language_named("x" + " " * 10**6 + "!") is None


def test_a_missing_toolchain_is_named_with_what_brings_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    with Grader(workers=1) as grader, pytest.raises(InputError, match=r"C\+\+ programs need g\+\+.*apt install g\+\+"):
        grader.grade(SUM, Submission("s", "sum", code="int main() {}", language="cpp"))


def test_a_compiled_program_talks_to_an_interactor(grader: Grader) -> None:
    needs("cpp")
    interact = """
def interact(input, read_line, write_line):
    for number in map(int, input.split()):
        write_line(number)
        if int(read_line()) != 2 * number:
            return False, f"not twice {number}"
    write_line(0)
    return True
"""
    tests = [{"input": "1 2 3"}, {"input": "1000000"}]
    problem = Problem.from_dict(
        {"id": "twice", "kind": "interactive", "interactor": {"code": interact}, "tests": tests}
    )
    program = (
        "#include <iostream>\nint main() { for (long n; std::cin >> n && n;) std::cout << FACTOR * n << std::endl; }"
    )
    for factor, verdict in (("2", Verdict.ACCEPTED), ("3", Verdict.WRONG_ANSWER)):
        assert graded(grader, "cpp", program.replace("FACTOR", factor), problem).verdict is verdict


def test_outputs_of_a_compiled_program_are_given(grader: Grader) -> None:
    needs("cpp")
    outputs = grader.outputs(SUM, Submission("s", "sum", code=RIGHT["cpp"], language="cpp")).result()
    assert [output.value for output in outputs] == ["4", "80", "4000000000000"]


@pytest.mark.parametrize("layers", [("seccomp", "landlock", "limits"), ("limits",)])
def test_languages_work_behind_fewer_walls(layers: tuple[str, ...]) -> None:
    with Grader(workers=1, layers=layers) as grader:
        for language in ("cpp", "java", "javascript", "csharp"):
            if is_here(language):
                grade = graded(grader, language, RIGHT[language])
                assert (grade.verdict, grade.detail) == (Verdict.ACCEPTED, "")


def test_a_compiler_that_does_not_work_is_never_the_programs_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "node"
    broken.write_text("#!/bin/sh\n[ $# = 1 ] && echo v0 && exit 0\necho it is broken >&2\nexit 1\n")
    for path in (broken, *broken.parents[:-2]):
        path.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.defpath}")
    with Grader(workers=1) as grader:
        grade = grader.grade(SUM, Submission("s", "sum", code="1", language="js"))
    assert (grade.verdict, grade.reward) == (Verdict.JUDGE_ERROR, None)
    assert "it is broken" in grade.detail


def test_a_toolchain_that_fails_is_described_without_its_stack_trace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "rustc"
    broken.write_text(
        "#!/bin/sh\nprintf 'error: no default\\nhelp: set one\\n\\nbacktrace:\\n 0: main\\n' >&2\nexit 1\n"
    )
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.defpath}")
    with pytest.raises(ToolchainMissing, match=r"status 1: error: no default help: set one$"):
        find_toolchain("rust")


def test_programs_for_older_standards_compile(grader: Grader) -> None:
    names = (
        "#include <algorithm>\n#include <iostream>\n#include <iterator>\nusing namespace std;\nlong long data, size;\n"
    )
    old = names + "int main() throw(int) { register int i = 0; cin >> data >> size; cout << data + size + i; }"
    assert graded(grader, "cpp", old).verdict is Verdict.ACCEPTED
    assert graded(grader, "c++20", old).verdict is Verdict.COMPILE_ERROR


def test_deep_recursion_is_honest(grader: Grader) -> None:
    problem = Problem.from_dict({"id": "deep", "tests": [{"input": "", "output": "300000"}]})
    for language, program in {
        "cpp": "#include <cstdio>\nint f(int n) { volatile int k = n; return k ? 1 + f(k - 1) : 0; }\n"
        'int main() { printf("%d", f(300000)); }',
        "java": "class Main { static int f(int n) { return n == 0 ? 0 : 1 + f(n - 1); }"
        " public static void main(String[] a) { System.out.println(f(300000)); } }",
        "javascript": "const f = n => n ? 1 + f(n - 1) : 0; console.log(f(300000));",
        "csharp": "class P { static int f(int n) { return n == 0 ? 0 : 1 + f(n - 1); }"
        " static void Main() { System.Console.WriteLine(f(300000)); } }",
    }.items():
        if is_here(language):
            assert graded(grader, language, program, problem).detail == ""
