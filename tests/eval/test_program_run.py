"""Plain runs: what a program writes and uses, on any input, with files in its directory."""

from __future__ import annotations

from typing import Any

import pytest

from microcoder_eval import Grader, InputError, ProgramRun, Verdict
from tests.eval.toolchains import needs


def test_a_run_gives_what_the_program_wrote_and_used(grader: Grader) -> None:
    code = "import sys\nname = input()\nprint('hello', name)\nprint('bye', file=sys.stderr)"
    run = grader.run(code, stdin="you\n")
    assert (run.stdout, run.stderr) == ("hello you\n", "bye\n")
    assert (run.verdict, run.exit_status, run.detail) == (Verdict.ACCEPTED, 0, "")
    assert run.ended_well
    assert run.memory_kb > 1000
    assert 0 < run.cpu_s < 2
    assert run.wall_s > 0
    assert not (run.stdout_cut or run.stderr_cut)


ENDS: dict[str, tuple[str, Verdict, int | None, str]] = {
    "raises": ("1 / 0", Verdict.RUNTIME_ERROR, 1, "ZeroDivisionError"),
    "leaves": ("import sys; print('x'); sys.exit(7)", Verdict.RUNTIME_ERROR, 7, "exit status 7"),
    "is ended": ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", Verdict.RUNTIME_ERROR, -11, "SIGSEGV"),
    "computes": ("while True: pass", Verdict.TIME_LIMIT, -9, "CPU time"),
    "waits": ("import time; time.sleep(99)", Verdict.TIME_LIMIT, -9, "without using the CPU"),
    "allocates": ("x = bytearray(1 << 30)", Verdict.MEMORY_LIMIT, None, ""),
    "does not compile": ("print(", Verdict.COMPILE_ERROR, None, "never closed"),
    "is no Python": ("\0", Verdict.COMPILE_ERROR, None, "null bytes"),
}


@pytest.mark.parametrize("how", ENDS)
def test_a_run_says_how_it_ended(grader: Grader, how: str) -> None:
    code, verdict, status, says = ENDS[how]
    run = grader.run(code, time_limit_s=0.5, memory_limit_mb=128)
    assert run.verdict is verdict, run
    assert says in run.detail and "None" not in run.detail
    assert status is None or run.exit_status == status
    assert not run.ended_well


def test_files_lie_in_the_working_directory_of_one_run(grader: Grader) -> None:
    code = "import os\nprint(open('a.txt').read(), open('in/b.bin', 'rb').read(), sorted(os.listdir('.')))"
    files = {"a.txt": "first", "in/b.bin": b"\xff\0"}
    for _ in range(3):
        assert grader.run(code, files=files).stdout == "first b'\\xff\\x00' ['a.txt', 'in']\n"
    assert grader.run("import os; print(os.listdir('.'))").stdout == "[]\n"


@pytest.mark.parametrize(
    "name", ["../x", "/etc/x", "a/../../x", "", ".", "..", "a//b", "a/", "x\0", "\ud800", "n" * 300, "a/" * 50 + "b", 5]
)
def test_a_file_stays_in_the_working_directory(grader: Grader, name: Any) -> None:
    with pytest.raises(InputError, match="files: "):
        grader.run("", files={name: "x"})


WRONG: dict[str, tuple[dict[str, Any], type[Exception]]] = {
    "code": ({"code": 5}, InputError),
    "language": ({"language": 5}, InputError),
    "unknown language": ({"language": "cobol"}, InputError),
    "stdin": ({"stdin": 5}, TypeError),
    "stdin of surrogates": ({"stdin": "\ud800"}, InputError),
    "files in a list": ({"files": ["a"]}, InputError),
    "a number as a file": ({"files": {"a": 5}}, InputError),
    "a file that is a folder": ({"files": {"a": "", "a/b": ""}}, InputError),
    "many files": ({"files": {str(number): "" for number in range(2000)}}, InputError),
    "large files": ({"files": {"a": bytes(64 << 20)}}, InputError),
    "time": ({"time_limit_s": 0}, InputError),
    "time in words": ({"time_limit_s": "2"}, InputError),
    "memory": ({"memory_limit_mb": -1}, InputError),
    "kept": ({"kept_bytes": -1}, InputError),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_cannot_be_run_is_refused_by_name(grader: Grader, what: str) -> None:
    arguments, error = WRONG[what]
    with pytest.raises(error):
        grader.submit_run(**{"code": "print(1)", **arguments})
    assert grader.run("print(1)").stdout == "1\n"


def test_long_outputs_are_cut_and_say_so(grader: Grader) -> None:
    code = "import sys\nprint('x' * 5000, end='')\nprint('y' * 10, end='', file=sys.stderr)"
    run = grader.run(code, kept_bytes=1000)
    assert (run.stdout, run.stdout_cut, run.stderr, run.stderr_cut) == ("x" * 1000, True, "y" * 10, False)
    endless = grader.run("import sys\nwhile True: sys.stdout.write('x' * 65536)", time_limit_s=5)
    assert (endless.verdict, endless.stdout_cut, len(endless.stdout)) == (Verdict.OUTPUT_LIMIT, True, 1 << 20)


def test_bytes_come_through_as_they_are(grader: Grader) -> None:
    copy = "import sys\nsys.stdout.buffer.write(sys.stdin.buffer.read())"
    run = grader.run(copy, stdin=bytes(range(256)))
    assert run.stdout.encode("utf-8", "surrogateescape") == bytes(range(256))
    assert grader.run(copy, stdin=run.stdout).stdout == run.stdout
    assert grader.run(copy, stdin="é\n").stdout == "é\n"


def test_every_run_is_run(grader: Grader) -> None:
    futures = [grader.submit_run("import os; print(os.urandom(8).hex())") for _ in range(8)]
    assert len({future.result().stdout for future in futures}) == 8


@pytest.mark.parametrize("language", ["cpp", "java"])
def test_other_languages_run_too(grader: Grader, language: str) -> None:
    needs(language)
    programs = {
        "cpp": '#include <fstream>\n#include <iostream>\nint main() { std::string a, b; std::ifstream("a.txt") >> a;'
        "std::cin >> b; std::cout << a << b; std::cerr << 1; return 3; }",
        "java": "import java.nio.file.*; public class A { public static void main(String[] x) throws Exception {"
        'System.out.print(Files.readString(Path.of("a.txt")) + new java.util.Scanner(System.in).next());'
        "System.err.print(1); System.exit(3); } }",
    }
    run = grader.run(programs[language], language, "2", files={"a.txt": "1"})
    assert (run.stdout, run.stderr, run.exit_status, run.verdict) == ("12", "1", 3, Verdict.RUNTIME_ERROR)
    broken = grader.run("int main() { return undefined_name; }", language)
    assert (broken.verdict, broken.exit_status) == (Verdict.COMPILE_ERROR, None)
    assert broken.detail


@pytest.mark.parametrize("layers", [["seccomp", "landlock", "limits"], ["limits"]])
def test_files_without_a_mount_name_space(layers: list[str]) -> None:
    with Grader(workers=1, layers=layers) as grader:
        for _ in range(2):
            assert grader.run("print(open('d/a').read())", files={"d/a": "1"}).stdout == "1\n"
        assert grader.run("import os; print(os.listdir('.'))").stdout == "[]\n"


def test_a_run_is_the_same_under_isolation_submission() -> None:
    with Grader(workers=1, isolation="submission") as grader:
        run = grader.run("import sys; print(open('a').read() + input(), file=sys.stderr)", stdin="2", files={"a": "1"})
        assert run == ProgramRun(
            **{**vars(run), "verdict": Verdict.ACCEPTED, "stdout": "", "stderr": "12\n", "exit_status": 0}
        )


def test_a_closed_grader_runs_nothing() -> None:
    grader = Grader(workers=1)
    grader.close()
    with pytest.raises(Exception, match="closed"):
        grader.run("print(1)")
