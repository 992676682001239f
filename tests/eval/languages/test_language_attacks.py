"""Programs in other languages that attack: the system refuses, limits end them, compilers cannot be misused."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

import microcoder_eval
from microcoder_eval import Grader, Problem, Verdict
from microcoder_eval.boundary.layers import LAYERS
from microcoder_eval.languages.toolchain import find_toolchain
from microcoder_eval.supervisor import build
from microcoder_eval.supervisor.program_box import ProgramBox
from microcoder_eval.supervisor.watch import Limits
from tests.eval.family import Family, wait_until_gone
from tests.eval.toolchains import graded, needs

ROOT = Path(microcoder_eval.__file__).parent.parent

REFUSED = Problem.from_dict({"id": "attack", "tests": [{"input": "", "output": "refused"}], "memory_limit_mb": 128})
"""Accepted are programs that tried and were refused."""
C_START = "#include <fcntl.h>\n#include <signal.h>\n#include <stdio.h>\n#include <sys/socket.h>\n#include <unistd.h>\n"
C_TRIES = {
    "network": "socket(AF_INET, SOCK_STREAM, 0) >= 0",
    "read": 'open("CANARY", O_RDONLY) >= 0',
    "write": 'open("CANARY", O_WRONLY) >= 0',
    "fork": "fork() >= 0",
    "vfork": "vfork() >= 0",
    "kill": "kill(PID, 0) == 0",
    "execute and read": 'execl("/bin/cat", "cat", "CANARY", NULL) == 0',
}


def c_program(attempt: str) -> str:
    return C_START + f'int main() {{ if ({attempt}) puts("through"); else puts("refused"); }}'


JAVA = """
import java.io.*; import java.net.*;
class Main {
    public static void main(String[] a) {
        try { ATTEMPT; System.out.println("through"); } catch (IOException refused) { System.out.println("refused"); }
    }
}
"""
NODE = """
const fs = require("fs"), child = require("child_process");
try { ATTEMPT; console.log("through"); } catch (error) { console.log("refused"); }
"""
GO = """
package main
import ("fmt"; "net"; "os"; "os/exec")
func main() {
    _, _, _ = net.Dial, os.Open, exec.Command
    if ATTEMPT == nil { fmt.Println("through") } else { fmt.Println("refused") }
}
"""
RUST = """
use std::{fs::File, net::TcpListener, process::Command};
fn main() { let _ = (File::open("/"), Command::new("x"));
    println!("{}", if ATTEMPT.is_ok() { "through" } else { "refused" }); let _ = TcpListener::bind("x"); }
"""
CSHARP = """
using System; using System.IO; using System.Net; using System.Net.Sockets; using System.Runtime.InteropServices;
class Program {
    [DllImport("libc")] static extern int fork();
    static void Fork() { if (fork() < 0) throw new IOException(); }
    static void Main() {
        try { ATTEMPT; Console.WriteLine("through"); }
        catch (Exception) { Console.WriteLine("refused"); }
    }
}
"""
PYPY = """
import os, socket
try:
    ATTEMPT
    print("through")
except OSError:
    print("refused")
"""
OTHERS = {
    "java": (JAVA, 'new ServerSocket(0)', 'new FileReader("CANARY")', 'new ProcessBuilder("/bin/true").start()'),
    "javascript": (
        *(NODE, 'if (new (process.binding("tcp_wrap").TCP)(0).bind("127.0.0.1", 0)) throw 1'),
        *('fs.readFileSync("CANARY")', 'if (child.spawnSync("/bin/true").error) throw 1'),
    ),
    "go": (
        *(GO, 'func() error { _, e := net.Listen("tcp", "127.0.0.1:0"); return e }()'),
        *('func() error { _, e := os.Open("CANARY"); return e }()', 'exec.Command("/bin/true").Run()'),
    ),
    "rust": (RUST, 'TcpListener::bind("127.0.0.1:0")', 'File::open("CANARY")', 'Command::new("/bin/true").status()'),
    "csharp": (CSHARP, "new TcpListener(IPAddress.Any, 0).Start()", 'File.ReadAllText("CANARY")', "Fork()"),
    "pypy": (PYPY, "socket.socket()", 'open("CANARY")', "os.fork() or os._exit(0)"),
}  # fmt: skip


@pytest.fixture(scope="module")
def canary(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file that everybody may read and write, outside the sandbox."""
    file = tmp_path_factory.mktemp("outside") / "canary"
    file.write_text("not for you")
    for path in (file, *file.parents[:-2]):
        path.chmod(0o777)
    return file


@pytest.mark.parametrize("attempt", C_TRIES)
def test_c_is_refused(grader: Grader, canary: Path, attempt: str) -> None:
    tried = C_TRIES[attempt].replace("CANARY", str(canary)).replace("PID", str(os.getpid()))
    if attempt.startswith("execute"):  # the program that it turns into stays behind the walls
        grade = graded(grader, "c", c_program(tried), REFUSED)
        assert grade.verdict is Verdict.RUNTIME_ERROR
        assert "not for you" not in grade.detail
    else:
        assert graded(grader, "c", c_program(tried), REFUSED).detail == ""


@pytest.mark.parametrize("what", ["network", "file", "process"])
@pytest.mark.parametrize("language", OTHERS)
def test_others_are_refused(grader: Grader, canary: Path, language: str, what: str) -> None:
    program, *attempts = OTHERS[language]
    attempt = attempts[["network", "file", "process"].index(what)].replace("CANARY", str(canary))
    grade = graded(grader, language, program.replace("ATTEMPT", attempt), REFUSED)
    assert (grade.verdict, grade.detail) == (Verdict.ACCEPTED, "")


BOMBS = {
    ("cpp", "memory"): (
        "#include <vector>\nint main() { std::vector<std::vector<char>> v; for (;;) v.emplace_back(1 << 20, 1); }"
    ),
    ("cpp", "output"): '#include <cstdio>\nint main() { for (;;) puts("x"); }',
    ("cpp", "time"): "int main() { volatile int i = 0; for (;;) i = 1; }",
    ("cpp", "sleep"): "#include <unistd.h>\nint main() { for (;;) sleep(1); }",
    ("cpp", "threads"): "#include <thread>\nint main() { for (;;) std::thread([] { for (;;) {} }).detach(); }",
    ("java", "memory"): (
        "class Main { public static void main(String[] a) { var l = new java.util.ArrayList<int[]>();"
        " for (;;) l.add(new int[1 << 18]); } }"
    ),
    ("java", "time"): "class Main { public static void main(String[] a) { for (;;) ; } }",
    ("java", "sleep"): "class Main { public static void main(String[] a) throws Exception { Thread.sleep(99999); } }",
    ("javascript", "memory"): 'const l = []; for (;;) l.push(new Array(100000).fill("x"));',
    ("javascript", "output"): 'const fs = require("fs"); for (;;) fs.writeSync(1, "x".repeat(99999));',
    ("javascript", "time"): "for (;;) ;",
    ("javascript", "sleep"): "setTimeout(() => 0, 99999);",
    ("go", "memory"): (
        "package main\nfunc main() { var l [][]byte; for { b := make([]byte, 1<<20);"
        " for i := range b { b[i] = 1 }; l = append(l, b) } }"
    ),
    ("go", "time"): "package main\nfunc main() { for { } }",
    ("csharp", "memory"): (
        "class P { static void Main() { var l = new System.Collections.Generic.List<int[]>();"
        " for (;;) l.Add(new int[1 << 18]); } }"
    ),
    ("csharp", "output"): (
        "class P { static void Main() { for (;;) System.Console.WriteLine(new string('x', 99999)); } }"
    ),
    ("csharp", "time"): "class P { static void Main() { for (;;) ; } }",
    ("csharp", "sleep"): "class P { static void Main() { System.Threading.Thread.Sleep(99999); } }",
    ("csharp", "threads"): (
        "using System.Threading; class P { static void Main() { for (;;) new Thread(() => { for (;;) ; }).Start(); } }"
    ),
}  # fmt: skip
ENDS = {
    "memory": {Verdict.MEMORY_LIMIT},
    "output": {Verdict.OUTPUT_LIMIT},
    "time": {Verdict.TIME_LIMIT},
    "sleep": {Verdict.TIME_LIMIT},
    "threads": {Verdict.RUNTIME_ERROR, Verdict.MEMORY_LIMIT, Verdict.TIME_LIMIT},
}


@pytest.mark.parametrize(("language", "bomb"), BOMBS)
def test_bombs_end_at_their_limit(grader: Grader, language: str, bomb: str) -> None:
    problem = Problem.from_dict({**REFUSED.to_dict(), "time_limit_s": 2.0 if bomb in ("memory", "output") else 0.5})
    grade = graded(grader, language, BOMBS[language, bomb], problem)
    assert grade.verdict in ENDS[bomb], grade.detail


@pytest.mark.parametrize(
    ("language", "code", "says"),
    [
        ("c", '#include "/etc/passwd"\nint main() {}', "/etc/passwd"),
        ("c", "#include </dev/random>\nint main() {}", ""),
        ("c", "#include </proc/self/mem>\nint main() {}", ""),
        ("c", 'asm(".incbin \\"CANARY\\""); int main() {}', "canary"),
        ("c", "char big[1 << 30] = {1}; int main() { return big[5]; }", "large"),
        ("rust", 'fn main() { print!("{}", include_str!("CANARY")); }', "canary"),
    ],
)
def test_compilers_are_no_way_out(grader: Grader, canary: Path, language: str, code: str, says: str) -> None:
    grade = graded(grader, language, code.replace("CANARY", str(canary)), REFUSED)
    assert grade.verdict is Verdict.COMPILE_ERROR
    assert says in grade.detail
    assert "not for you" not in grade.detail


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("c", "#error Killed signal terminated program cc1"),
        ("javascript", "throw Killed signal;"),
        ("rust", f"fn main() {{ let x = {'!' * 200_000}true; }}"),
    ],
)
def test_no_program_makes_the_compiler_seem_lost(grader: Grader, language: str, code: str) -> None:
    assert graded(grader, language, code, REFUSED).verdict is Verdict.COMPILE_ERROR


TEMPLATE_BOMB = """
template <int N, int M> struct Bomb {
    static const long value = Bomb<N - 1, M>::value + Bomb<N - 1, M + (1 << N)>::value;
};
template <int M> struct Bomb<0, M> { static const long value = 1; };
int main() { return Bomb<28, 0>::value; }
"""


@pytest.mark.parametrize(
    ("limits", "says"),
    [
        (Limits(cpu_s=1.0, memory_bytes=1 << 30, output_bytes=1 << 28), "takes more than 1 s to compile"),
        (Limits(cpu_s=60.0, memory_bytes=1 << 27, output_bytes=1 << 28), "takes more than 128 MiB to compile"),
    ],
)
def test_a_template_bomb_ends_at_the_compilers_limits(
    limits: Limits, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    needs("cpp17")
    monkeypatch.setattr(build, "LIMITS", limits)
    toolchain = find_toolchain("cpp17")
    with closing(ProgramBox(list(LAYERS), writable_bytes=build.WORKING_BYTES)) as box:
        with pytest.raises(build.Refused, match=says):
            build.build(toolchain, {"solution.cpp": TEMPLATE_BOMB.encode()}, ["solution.cpp"], box, None)
        right = b"int main() { return 0; }"
        assert build.build(toolchain, {"solution.cpp": right}, ["solution.cpp"], box, None).startswith(b"\x7fELF")


def is_compiler(process: tuple[int, str]) -> bool:
    try:
        return Path(f"/proc/{process[0]}/comm").read_text() == "cc1plus\n"
    except OSError:
        return False


@pytest.mark.parametrize("layers", [tuple(LAYERS), ("seccomp", "landlock", "limits")])
def test_a_killed_grader_leaves_no_compiler(layers: tuple[str, ...]) -> None:
    needs("cpp17")
    grading = (
        "from microcoder_eval import Grader, Problem, Submission\n"
        f"grader = Grader(workers=1, layers={layers!r})\n"
        f"problem = Problem.from_dict({REFUSED.to_dict()!r})\n"
        f"grader.grade(problem, Submission('s', 'attack', code={TEMPLATE_BOMB!r}, language='cpp17'))\n"
    )
    with Family() as family:
        grader = subprocess.Popen([sys.executable, "-c", grading], env={**os.environ, "PYTHONPATH": str(ROOT)})
        deadline = time.monotonic() + 200
        while not any(map(is_compiler, set(family.seen))):
            assert time.monotonic() < deadline
            time.sleep(0.05)
        grader.kill()
        grader.wait()
        assert not wait_until_gone(family.seen)
