# ruff: noqa: E501 - programs, each on the line that names it
"""Learning what is outside: whether files are there and what is in them, other processes, the tests, the answers.

An attack prints "through" when it has learned something, and "through" is the right output: none may be accepted. What
compilers and judges print of files outside counts too.
"""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from microcoder_eval import Grade, Problem, Verdict
from tests.eval.attacks.grading import EACH_OPTION, WAYS, Attack, Batch, grade_all, grade_as_nobody, why_not_as_nobody
from tests.eval.attacks.outside import SECRET, Outside
from tests.eval.attacks.test_breach import HONEST, START, needs_x86
from tests.eval.toolchains import is_here

ANSWER = "through"
PROBLEM = Problem.from_dict({"id": "leak", "tests": [{"input": "", "output": ANSWER}], "memory_limit_mb": 256})
LEARN = (
    "import time\n"
    + START
    + "try: learned = {attempt}\nexcept (OSError, ValueError, AttributeError, LookupError): learned = False\nprint('through' if learned else 'refused')\n"
)
TELLS_APART = START + (
    "def outcome(path):\n    try: {use}\n    except OSError as error: return error.errno\n    return 'there'\n"
    "print('through' if outcome('{canary}') != outcome('{canary}-missing') else 'refused')\n"
)
METADATA = {
    "stat": "os.stat(path)",
    "lstat": "os.lstat(path)",
    "access": "call(21, path.encode(), 0)",
    "access-2": "call(439, -100, path.encode(), 0, 0)",
    "statx": "call(332, -100, path.encode(), 0, 0x7ff, ctypes.create_string_buffer(256))",
    "statfs": "os.statvfs(path)",
    "list-attributes": "os.listxattr(path)",
    "list-attributes-of-link": "os.listxattr(path, follow_symlinks=False)",
    "get-attribute": "os.getxattr(path, 'user.secret')",
    "read-link": "os.readlink(path)",
    "change-directory": "os.chdir(path)",
    "change-into-folder": "os.chdir(os.path.dirname(path) + ('' if path.endswith('canary') else '-missing'))",
    "open-path-only": "os.open(path, os.O_PATH)",
    "open": "os.open(path, os.O_RDONLY)",
    "open-directory": "os.open(path, os.O_RDONLY | os.O_DIRECTORY)",
    "open-to-create-only": "os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY)",
    "make-directory": "os.mkdir(path)",
    "make-link": "os.symlink('x', path)",
    "make-hard-link": "os.link(path, 'mine')",
    "rename": "os.rename(path, 'mine')",
    "remove": "os.unlink(path)",
    "remove-directory": "os.rmdir(path)",
    "truncate": "os.truncate(path, 5)",
    "execute": "os.execv(path, ['x'])",
    "change-mode": "os.chmod(path, 0o666)",
    "change-times": "os.utime(path)",
    "list-folder": "os.listdir(os.path.dirname(path) + ('' if path.endswith('canary') else '-missing'))",
    "through-link": "(os.symlink(path, 'link' + path[-3:]), os.stat('link' + path[-3:]))",
    "through-proc-root": "os.stat('/proc/self/root' + path)",
    "real-path": "os.path.realpath(path, strict=True)",
    "connect": "socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)[0].sendto(b'', path.replace('canary', 'datagram'))",
    "change-root": "os.chroot(path)",
    "mount": "call(165, path.encode(), path.encode(), b'bind', 4096, 0)",
    "accounting": "call(163, path.encode())",
    "swap": "call(167, path.encode(), 0)",
    "watch": "call(254, 0, path.encode(), 2)",
    "handle": "call(303, -100, path.encode(), struct.pack('Ii', 128, 0) + bytes(128), (ctypes.c_int * 1)(), 0)",
    "import": "__import__('importlib.util').util.spec_from_file_location('x', path).loader.get_data(path)",
    "shared-library": "ctypes.CDLL(path)",
}  # fmt: skip
LEARNS = {
    "environment": "[name for name in os.environ if 'SECRET' in name]",
    "environment-of-kernel": "b'SECRET' in open('/proc/self/environ', 'rb').read()",
    "other-processes": "[n for n in os.listdir('/proc') if n.isdigit() and int(n) > 1000 and n != str(os.getpid())]",
    "victim-status": "open('/proc/{victim}/status').read()",
    "victim-command": "open('/proc/{victim}/cmdline').read()",
    "victim-environment": "open('/proc/{victim}/environ').read()",
    "victim-files": "os.listdir('/proc/{victim}/fd')",
    "victim-stat": "os.stat('/proc/{victim}')",
    "victim-directory": "os.readlink('/proc/{victim}/cwd')",
    "victim-session": "os.getsid({victim})",
    "victim-group": "os.getpgid({victim})",
    "victim-priority": "os.getpriority(os.PRIO_PROCESS, {victim}) or True",
    "victim-cpus": "os.sched_getaffinity({victim})",
    "victim-scheduler": "told(145, {victim}) != told(145, 2**22 - 1)",
    "victim-interval": "os.sched_rr_get_interval({victim}) or True",
    "victim-disk-priority": "call(252, 1, {victim}) or True",
    "victim-limits": "resource.prlimit({victim}, resource.RLIMIT_NOFILE)",
    "victim-robust-list": "call(274, {victim}, (ctypes.c_long * 1)(), (ctypes.c_long * 1)()) or True",
    "victim-capabilities": "call(125, struct.pack('II', 0x20080522, {victim}), ctypes.create_string_buffer(24)) or True",
    "victim-clock": "call(229, ((~{victim}) << 3) | 2, ctypes.create_string_buffer(16)) or True",
    "victim-clock-reading": "time.clock_gettime(((~{victim}) << 3) | 2) or True",
    "victim-clock-wait": "call(230, ((~{victim}) << 3) | 2, 0, struct.pack('qq', 0, 1), 0) or True",
    "victim-timer": "call(222, ((~{victim}) << 3) | 2, 0, ctypes.create_string_buffer(8)) or True",
    "victim-attributes": "call(315, {victim}, ctypes.create_string_buffer(56), 56, 0) or True",
    "victim-parameters": "told(143, {victim}) != told(143, 2**22 - 1)",
    "victim-group-priority": "os.getpriority(os.PRIO_PGRP, {victim}) or True",
    "victim-signal": "os.kill({victim}, 0) or True",
    "grader-command": "open('/proc/{grader}/cmdline').read()",
    "parent-memory": "open(f'/proc/{os.getppid()}/mem', 'rb')",
    "parent-files": "os.listdir(f'/proc/{os.getppid()}/fd')",
    "users": "open('/etc/passwd').read()",
    "shadow": "open('/etc/shadow').read()",
    "hosts": "open('/etc/hosts').read()",
    "mounts": "[l for l in open('/proc/self/mountinfo') if '{folder}' in l]",
    "network-sockets": "open('/proc/net/tcp').read().count('\\n') > 1",
    "unix-sockets": "'{datagram}' in open('/proc/net/unix').read()",
    "shared-memory-list": "'{memory}' in open('/proc/sysvipc/shm').read()",
    "temporary-files": "[n for n in os.listdir('/tmp') if n.startswith('microcoder-')]",
    "variable-files": "os.listdir('/var/tmp')",
    "devices": "os.listdir('/sys/class')",
    "kernel-symbols": "any(int(l.split()[0], 16) for l in open('/proc/kallsyms'))",
    "kernel-configuration": "open('/proc/config.gz', 'rb').read(1)",
    "scheduling-of-all": "open('/proc/sched_debug').read()",
    "timers-of-all": "open('/proc/timer_list').read()",
    "keys": "open('/proc/keys').read()",
    "open-descriptors": "[n for n in os.listdir('/proc/self/fd') if '{folder}' in os.readlink('/proc/self/fd/' + n)]",
    "descriptors-beyond": "[n for n in range(7, 1024) if not is_error(n)]",
    "expected-in-heap": "any(isinstance(o, (bytes, str)) and len(o) == 7 and o[:3] in (b'thr', 'thr') and o is not KNOWN for o in __import__('gc').get_objects())",
    "expected-in-memory": "scan(b'\"output\": \"thr' + b'ough')",
    "expected-in-result": "os.pread(6, 100, 0)",
    "previous-stderr": "os.pread(2, 100, 0)",
    "previous-stdout": "os.pread(1, 100, 0)",
}  # fmt: skip
TOOLS = """
KNOWN = 'through'
def is_error(n):
    try: os.fstat(n)
    except OSError: return True
    return False
def told(number, process):
    answer = ctypes.create_string_buffer(8)
    try: return call(number, process, answer), answer.raw
    except OSError as error: return error.errno
def scan(what):
    for line in open('/proc/self/maps'):
        where, rights, *_ = line.split()
        start, end = (int(part, 16) for part in where.split('-'))
        if 'r' in rights and end - start < 1 << 26 and '[v' not in line:
            try: content = os.pread(os.open('/proc/self/mem', os.O_RDONLY), end - start, start)
            except OSError: continue
            if what in content: return True
    return False
"""
ATTEMPTS = {
    **{f"tells-apart-{name}": TELLS_APART.replace("{use}", use) for name, use in METADATA.items()},
    **{
        f"learns-{name}": LEARN.replace("try:", TOOLS + "try:", 1).replace("{attempt}", attempt)
        for name, attempt in LEARNS.items()
    },
}
COMPILERS = {
    "cpp-include": ("cpp", '#include "{canary}"\nint main() {}'),
    "cpp-include-system": ("cpp", "#include <{canary}>\nint main() {}"),
    "cpp-include-passwd": ("cpp", '#include "/etc/passwd"\nint main() {}'),
    "cpp-include-environment": ("cpp", '#include "/proc/self/environ"\nint main() {}'),
    "cpp-has-include": ("cpp", '#include <cstdio>\nint main() {\n#if __has_include("{canary}")\nputs("through");\n#endif\n}'),
    "cpp-assembler-includes": ("cpp", '#include <cstdio>\nextern "C" const char data[];\nasm(".global data\\ndata: .incbin \\"{canary}\\"\\n.byte 0\\n");\nint main() { puts(data[0] == \'n\' ? "through" : ""); }'),
    "cpp-assembler-text": ("cpp", 'asm(".include \\"{canary}\\"");\nint main() {}'),
    "cpp-embed": ("cpp", '#include <cstdio>\nconst char data[] = {\n#embed "{canary}"\n};\nint main() { puts("through"); }'),
    "c-include": ("c", '#include "{canary}"\nint main() {}'),
    "rust-include-text": ("rust", 'fn main() { if include_str!("{canary}").starts_with("not") { println!("through") } }'),
    "rust-include": ("rust", 'include!("{canary}"); fn main() {}'),
    "rust-environment": ("rust", 'fn main() { if option_env!("SECRET").is_some() { println!("through") } }'),
    "javascript-require": ("javascript", 'try { require("{canary}") } catch (e) { if (e.code != "MODULE_NOT_FOUND") console.log("through") }'),
    "javascript-stat": ("javascript", 'if (require("fs").existsSync("{canary}")) console.log("through")'),
    "java-exists": ("java", 'class Main { public static void main(String[] a) { if (new java.io.File("{canary}").exists()) System.out.println("through"); } }'),
}  # fmt: skip
HERE = [name for name, (language, _) in COMPILERS.items() if is_here(language)]


@dataclass
class Leaked:
    batch: Batch
    reached: list[str]


@pytest.fixture(scope="module", params=EACH_OPTION)
def leaked(request: pytest.FixtureRequest) -> Leaked:
    with Outside.made() as outside:
        found = [Attack(name, PROBLEM, outside.fill(code), honest=HONEST) for name, code in ATTEMPTS.items()]
        if "test" in request.param:
            found += [Attack(n, PROBLEM, outside.fill(COMPILERS[n][1]), language=COMPILERS[n][0]) for n in HERE]
        os.environ["SECRET"] = SECRET
        try:
            batch = grade_all(found, WAYS[request.param])
        finally:
            del os.environ["SECRET"]
        outside.look()
    return Leaked(batch, outside.reached)


def said(grade: Grade) -> str:
    return " ".join([grade.detail, *(test.detail for test in grade.tests)])


@needs_x86
@pytest.mark.parametrize("name", [*ATTEMPTS, *HERE])
def test_nothing_is_learned(leaked: Leaked, name: str) -> None:
    if name not in leaked.batch.results:
        pytest.skip("the isolation makes no difference to compiled programs")
    grade = leaked.batch.grade(name)
    assert grade.verdict not in (Verdict.ACCEPTED, Verdict.JUDGE_ERROR), ascii(grade.detail)
    assert SECRET not in said(grade)
    assert "root:" not in said(grade)
    after = leaked.batch.after.get(name)
    assert after is None or (not isinstance(after, BaseException) and after.accepted), after


@needs_x86
def test_nothing_reached_the_outside(leaked: Leaked) -> None:
    assert not leaked.reached


@pytest.fixture(scope="module", params=[pytest.param("spaces-test", marks=pytest.mark.slow), "bare-test"])
def as_nobody(request: pytest.FixtureRequest) -> dict[str, list[object]]:
    if why_not_as_nobody():
        pytest.skip(why_not_as_nobody())
    with Outside.made() as outside:
        place = Path(outside.places["folder"]).parent / f"microcoder-attacks-{os.getpid()}"
        found = [Attack(name, PROBLEM, outside.fill(code)) for name, code in ATTEMPTS.items()]
        try:
            return grade_as_nobody(found, WAYS[request.param], place)
        finally:
            shutil.rmtree(place, ignore_errors=True)


@needs_x86
@pytest.mark.parametrize("name", ATTEMPTS)
def test_nothing_is_learned_for_an_ordinary_user(as_nobody: dict[str, list[object]], name: str) -> None:
    verdict, detail, _ = as_nobody[name]
    assert verdict not in ("ACCEPTED", "JUDGE_ERROR"), ascii(detail)
