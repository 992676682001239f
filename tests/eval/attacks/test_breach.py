# ruff: noqa: E501 - programs, each on the line that names it
"""Breaking out of the sandbox: files, sockets, processes, kernel facilities. And leaving things behind.

An attack prints "through" when it has reached what it wants, and "through" is the right output: none may be accepted,
with and without name spaces, with a process for every test or submission, as root and as an ordinary user.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from microcoder_eval import Problem, Verdict
from tests.eval.attacks.grading import EACH_OPTION, WAYS, Attack, Batch, grade_all, grade_as_nobody, why_not_as_nobody
from tests.eval.attacks.outside import Outside
from tests.eval.toolchains import is_here

PROBLEM = Problem.from_dict({"id": "breach", "tests": [{"input": "", "output": "through"}], "memory_limit_mb": 256})
HONEST = "print('through')"
START = """
import ctypes, os, socket, signal, sys, errno, resource, fcntl, struct
libc = ctypes.CDLL(None, use_errno=True)
def call(number, *arguments):
    made = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    result = libc.syscall(ctypes.c_long(number), *made)
    if result < 0: raise OSError(ctypes.get_errno(), 'refused')
    return result
"""
TRY = (
    START
    + "try:\n    reached = {attempt}\n    if reached is not False: print('through')\nexcept (OSError, ValueError, AttributeError): print('refused')\n"
)
BLOCK = (
    START + "try:\n{attempt}\n    print('through')\nexcept (OSError, ValueError, AttributeError): print('refused')\n"
)
PAIR = "socket.socketpair(socket.AF_UNIX, socket.{kind})[0]"
UNIX = {
    "datagram-pair-sendto": PAIR.format(kind="SOCK_DGRAM") + ".sendto(b'x', '{datagram}')",
    "datagram-pair-sendto-abstract": PAIR.format(kind="SOCK_DGRAM") + ".sendto(b'x', '\\0{abstract}')",
    "datagram-pair-sendmsg": PAIR.format(kind="SOCK_DGRAM") + ".sendmsg([b'x'], [], 0, '{datagram}')",
    "datagram-pair-sendmsg-descriptors": PAIR.format(kind="SOCK_DGRAM")
    + ".sendmsg([b'x'], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, struct.pack('i', 0))], 0, '{datagram}')",
    "datagram-pair-connect": PAIR.format(kind="SOCK_DGRAM") + ".connect('{datagram}')",
    "datagram-pair-log": PAIR.format(kind="SOCK_DGRAM") + ".sendto(b'<13>microcoder attack', '/dev/log')",
    "datagram-pair-journal": PAIR.format(kind="SOCK_DGRAM") + ".sendto(b'MESSAGE=x', '/run/systemd/journal/socket')",
    "datagram-pair-service-manager": PAIR.format(kind="SOCK_DGRAM") + ".sendto(b'READY=1', '/run/systemd/notify')",
    "stream-pair-connect": PAIR.format(kind="SOCK_STREAM") + ".connect('{stream}')",
    "sequence-pair-sendto": PAIR.format(kind="SOCK_SEQPACKET") + ".sendto(b'x', '{datagram}')",
    "sequence-pair-sendmsg": "(lambda p: (p[0].sendmsg([b'x'], [], 0, '{datagram}'), p[1].recv(1))[1] != b'x')(socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET))",
    "stream-pair-sendmsg": PAIR.format(kind="SOCK_STREAM") + ".sendmsg([b'x'], [], 0, '{datagram}')",
    "datagram-pair-with-flags": PAIR.format(kind="SOCK_DGRAM | socket.SOCK_NONBLOCK | socket.SOCK_CLOEXEC")
    + ".sendmsg([b'x'], [], 0, '{datagram}')",
    "many-messages": "call(307, socket.socketpair()[0].fileno(), ctypes.create_string_buffer(64), 1, 0)",
    "maker-of-session-socket": "socket.socket(fileno=os.dup(5)).getsockopt(socket.SOL_SOCKET, 17, 12)",
    "maker-of-session-socket-descriptor": "socket.socket(fileno=os.dup(5)).getsockopt(socket.SOL_SOCKET, 77)",
    "raw-pair-sendto": PAIR.format(kind="SOCK_RAW") + ".sendto(b'x', '{datagram}')",
    "session-socket-sendto": "socket.socket(fileno=os.dup(5)).sendto(b'x', '{datagram}')",
    "stdin-as-socket": "socket.socket(fileno=os.dup(0)).sendto(b'x', '{datagram}')",
    "unix-stream": "socket.socket(socket.AF_UNIX).connect('{stream}')",
    "unix-datagram": "socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b'x', '{datagram}')",
    "network": "socket.create_connection(('127.0.0.1', {port}), 2)",
    "network-datagram": "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', {udp}))",
    "network-6": "socket.socket(socket.AF_INET6)",
    "netlink": "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)",
    "packet": "socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)",
    "alg": "socket.socket(socket.AF_ALG, socket.SOCK_SEQPACKET, 0)",
    "vsock": "socket.socket(40, socket.SOCK_STREAM, 0)",
    "listen": "socket.create_server(('127.0.0.1', 0))",
    "pair-of-network": "socket.socketpair(socket.AF_INET)",
    "pair-of-tipc": "call(53, 30, 1, 0, (ctypes.c_int * 2)())",
    "pair-with-high-bits": "call(53, (1 << 32) | 2, 2, 0, (ctypes.c_int * 2)())",
}
FILES = {
    "read": "'not-for-you' in open('{canary}').read()",
    "write": "open('{canary}', 'w').write('changed') and None",
    "append": "os.open('{canary}', os.O_WRONLY | os.O_APPEND)",
    "truncate": "os.truncate('{canary}', 0)",
    "create": "open('{folder}/new', 'w')",
    "make-directory": "os.mkdir('{folder}/new')",
    "make-link": "os.symlink('/', '{folder}/new')",
    "hard-link": "os.link('{canary}', 'here')",
    "hard-link-out": "(open('mine', 'w'), os.link('mine', '{folder}/new'))",
    "rename": "os.rename('{canary}', '{folder}/new')",
    "rename-in": "os.rename('{canary}', 'mine')",
    "rename-out": "(open('mine', 'w'), os.rename('mine', '{folder}/new'))",
    "remove": "os.remove('{canary}')",
    "remove-directory": "os.rmdir('{folder}')",
    "make-fifo": "os.mkfifo('{folder}/new')",
    "make-socket": "socket.socket(socket.AF_UNIX).bind('{folder}/new')",
    "fifo": "os.open('{fifo}', os.O_RDWR | os.O_NONBLOCK)",
    "change-mode": "os.chmod('{canary}', 0o600)",
    "change-owner": "os.chown('{canary}', os.getuid(), -1)",
    "change-times": "os.utime('{canary}', (0, 0))",
    "set-attribute": "os.setxattr('{canary}', 'user.x', b'x')",
    "remove-attribute": "os.removexattr('{canary}', 'user.secret')",
    "through-own-link": "(os.symlink('{canary}', 'link'), open('link').read())",
    "through-proc-root": "open('/proc/self/root{canary}').read()",
    "through-proc-cwd": "open('/proc/self/cwd/../../../../../../../..{canary}').read()",
    "through-dots": "open('../' * 40 + '{canary}').read()",
    "by-descriptor-of-root": "os.open('{canary}'[1:], os.O_RDONLY, dir_fd=os.open('/', os.O_PATH))",
    "open-2": "call(437, -100, b'{canary}', struct.pack('QQQ', 0, 0, 0), 24)",
    "handle": "call(303, -100, b'{canary}', ctypes.create_string_buffer(b'\\x80' + b'\\0' * 200), (ctypes.c_int * 1)(), 0)",
    "write-interpreter": "open(os.__file__, 'a')",
    "write-package": "open(os.path.dirname(os.__file__) + '/new.py', 'w')",
    "write-shared-memory": "open('/dev/shm/microcoder-attack', 'w')",
    "write-temporary": "open('/tmp/microcoder-attack', 'w')",
    "write-home": "open('/root/microcoder-attack', 'w')",
    "kernel-memory": "open('/dev/mem')",
    "kernel-messages": "open('/dev/kmsg', 'w')",
    "disk": "[open('/dev/' + n) for n in ('sda', 'vda', 'nvme0n1', 'dm-0', 'loop-control', 'fuse', 'kvm')]",
    "terminal": "open('/dev/tty', 'w')",
    "pseudo-terminal": "os.openpty()",
    "sysctl": "open('/proc/sys/kernel/core_pattern', 'w')",
    "cgroup": "open('/sys/fs/cgroup/cgroup.procs', 'w')",
    "out-of-memory-score": "open('/proc/{grader}/oom_score_adj', 'w').write('1000') and None",
}
PROCESSES = {
    "kill": "os.kill({victim}, 0)",
    "kill-grader": "os.kill({grader}, 0)",
    "kill-group": "os.killpg(os.getpgid({victim}), 0)",
    "kill-all": "os.kill(-1, 0)",
    "thread-kill": "call(234, {victim}, {victim}, 0)",
    "thread-kill-any": "call(200, {victim}, 0)",
    "queue-signal": "call(129, {victim}, 0, ctypes.create_string_buffer(128))",
    "fork": "os.fork() or os._exit(0)",
    "vfork": "call(58)",
    "clone": "call(56, 17, 0, 0, 0, 0)",
    "clone-3": "call(435, struct.pack('11Q', 0, 0, 0, 0, 17, 0, 0, 0, 0, 0, 0), 88)",
    "clone-thread-with-spaces": "call(56, 0x50000 | 0x10000000 | 0x800 | 0x100 | 0x200, 0, 0, 0, 0)",
    "core-of-another": "call(157, 62, 1, {victim}, 1, 0)",
    "clone-with-spaces": "call(56, 0x10000000 | 17, 0, 0, 0, 0)",
    "spawn": "os.posix_spawn('/bin/true', ['true'], {})",
    "trace": "call(101, 16, {victim}, 0, 0)",
    "trace-me": "call(101, 0, 0, 0, 0)",
    "read-memory": "call(310, {victim}, 0, 0, 0, 0, 0)",
    "write-memory": "call(311, {victim}, 0, 0, 0, 0, 0)",
    "process-descriptor": "call(434, {victim}, 0)",
    "compare-processes": "call(312, {victim}, os.getpid(), 0, 0, 0)",
    "limits-of-another": "resource.prlimit({victim}, resource.RLIMIT_NOFILE, (0, 0))",
    "read-limits-of-another": "resource.prlimit({victim}, resource.RLIMIT_NOFILE)",
    "priority-of-another": "os.setpriority(os.PRIO_PROCESS, {victim}, 19)",
    "priority-own": "os.setpriority(os.PRIO_PROCESS, 0, -5)",
    "cpus-of-another": "os.sched_setaffinity({victim}, {0})",
    "cpus-own": "os.sched_setaffinity(0, {0, 1})",
    "real-time": "os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))",
    "disk-priority": "call(251, 1, {victim}, 1 << 13)",
    "group-of-another": "os.setpgid({victim}, {victim})",
    "memory-of-another": "call(440, {victim}, 0, 0, 0, 0)",
    "proc-memory": "open('/proc/{victim}/mem', 'rb')",
    "proc-memory-grader": "open('/proc/{grader}/mem', 'rb')",
}
KERNEL = {
    "shared-memory": "call(29, {memory}, 4096, 0o666)",
    "message-queue": "call(68, {queue}, 0o666)",
    "semaphores": "call(64, 0, 1, 0o1666)",
    "posix-queue": "call(240, b'microcoder', 0o102, 0o666, 0)",
    "memory-file": "call(319, b'x', 0)",
    "secret-memory": "call(447, 0)",
    "name-spaces": "call(272, 0x10000000)",
    "mount-space": "call(272, 0x00020000)",
    "enter-space": "call(308, os.open('/proc/self/ns/net', os.O_RDONLY), 0)",
    "mount": "call(165, b'none', b'/tmp', b'tmpfs', 0, 0)",
    "new-mount": "call(430, b'tmpfs', 0)",
    "unmount": "call(166, b'/proc', 2)",
    "change-root": "os.chroot('.')",
    "pivot-root": "call(155, b'.', b'.')",
    "bpf": "call(321, 0, 0, 0)",
    "perf": "call(298, ctypes.create_string_buffer(128), 0, -1, -1, 0)",
    "page-faults": "call(323, 0)",
    "io-uring": "call(425, 4, ctypes.create_string_buffer(256))",
    "keys": "call(250, 0, -3, 1)",
    "add-key": "call(248, b'user', b'x', b'x', 1, -3)",
    "clock": "call(227, 0, struct.pack('qq', 0, 0))",
    "host-name": "socket.sethostname('x')",
    "become-root": "os.setuid(0) if os.getuid() else False",
    "capabilities": "call(126, struct.pack('II', 0x20080522, 0), struct.pack('6I', 0xffffffff, 0xffffffff, 0, 0xffffffff, 0xffffffff, 0))",
    "personality": "call(135, 0x0040000)",
    "segments": "call(154, 0, 0, 0)",
    "ports": "call(172, 3)",
    "watch-files": "call(294, 0)",
    "watch-everything": "call(300, 0, 0)",
    "kernel-log": "call(103, 3, ctypes.create_string_buffer(100), 100)",
    "mount-list": "call(458, struct.pack('IIQQQ', 32, 0, -1 & (1 << 64) - 1, 0, 0), (ctypes.c_ulonglong * 64)(), 64, 0)",
    "file-system-types": "call(139, 3)",
    "asynchronous-reads": "call(206, 60000, ctypes.create_string_buffer(8))",
    "quota": "call(179, 0x800000 << 8, 0, 0, 0)",
    "accounting": "call(163, b'/x')",
    "sync": "call(162)",
    "x32": "call(0x40000000 + 39)",
    "new-filter-listener": "call(317, 1, 8, 0)",
    "unlimited-core": "resource.setrlimit(resource.RLIMIT_CORE, (1 << 30, 1 << 30))",
    "unlimited-memory": "resource.setrlimit(resource.RLIMIT_AS, (-1, -1))",
    "unlimited-files": "resource.setrlimit(resource.RLIMIT_FSIZE, (-1, -1))",
    "dump": "os.abort()",
    "type-into-terminal": "fcntl.ioctl(0, 0x5412, b'x')",
    "owner-of-signals": "fcntl.fcntl(0, fcntl.F_SETOWN, {victim})",
    "lease": "fcntl.fcntl(0, 1024, 0)",
    "larger-pipe": "fcntl.fcntl(os.pipe()[1], 1031, 1 << 30)",
}
C_START = "#include <fcntl.h>\n#include <stdio.h>\n#include <string.h>\n#include <sys/socket.h>\n#include <sys/syscall.h>\n#include <sys/un.h>\n#include <unistd.h>\n#include <signal.h>\n"
C_ATTEMPTS = {
    "datagram-pair": '({ int s[2]; struct sockaddr_un a = {AF_UNIX, "{datagram}"}; socketpair(AF_UNIX, SOCK_DGRAM, 0, s); sendto(s[0], "x", 1, 0, (void *)&a, sizeof a) == 1; })',
    "read": 'open("{canary}", O_RDONLY) >= 0',
    "kill": "kill({victim}, 0) == 0",
    "fork": "fork() >= 0",
    "network": "socket(AF_INET, SOCK_STREAM, 0) >= 0",
    "32-bit-call": '({ int r; __asm__ volatile("int $0x80" : "=a"(r) : "a"(20) : "memory"); r > 0; })',
}
OTHERS = {
    "java-read": (
        "java",
        'class Main { public static void main(String[] a) throws Exception { System.out.println(new String(java.nio.file.Files.readAllBytes(java.nio.file.Path.of("{canary}"))).isEmpty() ? "" : "through"); } }',
    ),
    "java-process": (
        "java",
        'class Main { public static void main(String[] a) throws Exception { new ProcessBuilder("/bin/true").start(); System.out.println("through"); } }',
    ),
    "java-network": (
        "java",
        'class Main { public static void main(String[] a) throws Exception { new java.net.Socket("127.0.0.1", {port}); System.out.println("through"); } }',
    ),
    "java-unix": (
        "java",
        'import java.net.*; import java.nio.channels.*; class Main { public static void main(String[] a) throws Exception { SocketChannel.open(UnixDomainSocketAddress.of("{stream}")); System.out.println("through"); } }',
    ),
    "javascript-read": ("javascript", 'require("fs").readFileSync("{canary}"); console.log("through")'),
    "javascript-process": (
        "javascript",
        'if (!require("child_process").spawnSync("/bin/true").error) console.log("through")',
    ),
    "javascript-network": (
        "javascript",
        'require("net").connect({port}, "127.0.0.1", () => { console.log("through"); process.exit(0) })',
    ),
    "rust-read": ("rust", 'fn main() { std::fs::read("{canary}").unwrap(); println!("through"); }'),
    "rust-unix": (
        "rust",
        'fn main() { std::os::unix::net::UnixDatagram::unbound().unwrap().send_to(b"x", "{datagram}").unwrap(); println!("through"); }',
    ),
}
ATTEMPTS = {
    **{f"unix-{name}": TRY.replace("{attempt}", attempt) for name, attempt in UNIX.items()},
    **{f"file-{name}": TRY.replace("{attempt}", attempt) for name, attempt in FILES.items()},
    **{f"process-{name}": TRY.replace("{attempt}", attempt) for name, attempt in PROCESSES.items()},
    **{f"kernel-{name}": TRY.replace("{attempt}", attempt) for name, attempt in KERNEL.items()},
}
HARMLESS_HERE = {"kernel-enter-space", "kernel-larger-pipe"}
COMPILED = {
    f"c-{name}": ("c", C_START + f'int main() {{ puts({attempt} ? "through" : "refused"); }}')
    for name, attempt in C_ATTEMPTS.items()
} | OTHERS
NAMES = [name for name in ATTEMPTS if name not in HARMLESS_HERE]
COMPILED_NAMES = [name for name, (language, _) in COMPILED.items() if is_here(language)]
needs_x86 = pytest.mark.skipif(os.uname().machine != "x86_64", reason="the system calls' numbers are those of x86_64")


@dataclass
class Breached:
    """The results of the attacks under one set of options, and what reached the outside."""

    batch: Batch
    reached: list[str]


def attacks(outside: Outside, compiled: bool) -> list[Attack]:
    found = [Attack(name, PROBLEM, outside.fill(ATTEMPTS[name]), honest=HONEST) for name in NAMES]
    if compiled:
        found += [
            Attack(name, PROBLEM, outside.fill(COMPILED[name][1]), language=COMPILED[name][0])
            for name in COMPILED_NAMES
        ]
    return found


@pytest.fixture(scope="module", params=EACH_OPTION)
def breached(request: pytest.FixtureRequest) -> Breached:
    with Outside.made() as outside:
        batch = grade_all(attacks(outside, "test" in request.param), WAYS[request.param])
        outside.look()
    return Breached(batch, outside.reached)


@needs_x86
@pytest.mark.parametrize("name", [*NAMES, *COMPILED_NAMES])
def test_no_attempt_gets_through(breached: Breached, name: str) -> None:
    if name not in breached.batch.results:
        pytest.skip("the isolation makes no difference to compiled programs")
    grade = breached.batch.grade(name)
    assert grade.verdict not in (Verdict.ACCEPTED, Verdict.JUDGE_ERROR), ascii(grade.detail)
    after = breached.batch.after.get(name)
    assert after is None or (not isinstance(after, BaseException) and after.accepted), after


@needs_x86
def test_nothing_reached_the_outside(breached: Breached) -> None:
    assert not breached.reached


def test_no_process_is_replaced_or_left(breached: Breached) -> None:
    assert not breached.batch.replaced
    assert not breached.batch.left


@pytest.fixture(scope="module", params=["spaces-test", pytest.param("bare-test", marks=pytest.mark.slow)])
def as_nobody(request: pytest.FixtureRequest) -> Iterator[tuple[dict[str, list[object]], list[str]]]:
    if why_not_as_nobody():
        pytest.skip(why_not_as_nobody())
    with Outside.made() as outside:
        place = Path(outside.places["folder"]).parent / f"microcoder-attacks-{os.getpid()}"
        try:
            found = grade_as_nobody(attacks(outside, False), WAYS[request.param], place)
        finally:
            shutil.rmtree(place, ignore_errors=True)
        outside.look()
    yield found, outside.reached


@needs_x86
@pytest.mark.parametrize("name", NAMES)
def test_no_attempt_gets_through_for_an_ordinary_user(
    as_nobody: tuple[dict[str, list[object]], list[str]], name: str
) -> None:
    verdict, detail, _ = as_nobody[0][name]
    assert verdict not in ("ACCEPTED", "JUDGE_ERROR"), ascii(detail)
