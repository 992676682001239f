"""Examines this machine's sandbox by attacking it.

Each layer is tried alone. An attack that it must stop is run with the layer and without it, so that "holds" means that
the attack works here and the layer stops it. Where no attack works without the layer, "holds" means only that the layer
is in force; the evidence says so. Then all attacks are run against the whole sandbox.
"""

from __future__ import annotations

import contextlib
import os
import socket
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any

from microcoder_eval.boundary import libc
from microcoder_eval.boundary.layers import LAYERS
from microcoder_eval.supervisor.box import Box
from microcoder_eval.supervisor.run import BoxLost
from microcoder_eval.supervisor.watch import Limits

SUCCESS = b"attack succeeded"
LIMITS = Limits(cpu_s=2.0, memory_bytes=128 << 20, output_bytes=1 << 20)
NEEDED_WITH = {**dict.fromkeys(("pid", "mount", "net", "ipc"), ("user",)), "user_id": ("mount",)}
"""The layers that a layer needs. An ordinary user needs a user namespace to make any other namespace. `user_id` needs
`mount` where only root can read the interpreter."""


@dataclass(frozen=True)
class Attack:
    """A program that tries something and prints SUCCESS if it works. `{...}` stand for what `_targets` makes."""

    name: str
    layers: tuple[str, ...]
    """The layers that stop it, each of them alone."""
    program: str
    known_leak: bool = False
    """It succeeds where its layers are missing. docs/sandbox.md says what it tells, and why no other layer stops it."""


ATTACKS = (
    Attack("open a network socket", ("seccomp",), "import socket; socket.socket(); print('{success}')"),
    Attack("start another process", ("seccomp",), "import os; os.fork() or os._exit(0); print('{success}')"),
    Attack("read another user's file", ("landlock", "mount"), "open('{canary}').read(); print('{success}')"),
    Attack("write outside its directory", ("landlock", "mount"), "open('{canary}', 'a'); print('{success}')"),
    Attack("read a file that only root may", ("user_id", "landlock", "mount"), "open('{secret}'); print('{success}')"),
    Attack("write an endless file", ("limits",), "for _ in range(40): print('x' * 100000)\nprint('{success}')"),
    Attack(
        "keep a thousand files open", ("limits",), "f = [open('/dev/null') for _ in range(1000)]; print('{success}')"
    ),
    Attack("signal a process of the machine", ("pid", "seccomp"), "import os; os.kill({pid}, 0); print('{success}')"),
    Attack(
        "connect to a service of this machine",
        ("net", "seccomp"),
        "import socket; socket.create_connection(('127.0.0.1', {port}), 1); print('{success}')",
    ),
    Attack(
        "share System V memory with the machine",
        ("ipc", "seccomp"),
        "import ctypes\nif ctypes.CDLL(None).shmget({key}, 1, 0) >= 0: print('{success}')",
    ),
    Attack(
        "send a datagram to a service of this machine",
        ("seccomp", "mount"),
        "import socket; socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)[0].sendto(b'x', '{datagram}'); "
        "print('{success}')",
    ),
    Attack(
        "ask about a process of the machine", ("seccomp", "pid"), "import os; os.getpgid({pid}); print('{success}')"
    ),
    Attack(
        "read the CPU clock of a process of the machine",
        ("seccomp", "pid"),
        "import time; time.clock_gettime((~{pid} << 3) | 2); print('{success}')",
    ),
    Attack(
        "read an attribute of another user's file",
        ("seccomp", "mount"),
        "import os; os.getxattr('{canary}', 'user.microcoder'); print('{success}')",
    ),
    Attack("change another file's times", ("seccomp", "mount"), "import os; os.utime('{canary}'); print('{success}')"),
    Attack(
        "watch another user's file",
        ("seccomp", "mount"),
        "import ctypes; c = ctypes.CDLL(None)\n"
        "if c.inotify_add_watch(c.inotify_init(), b'{canary}', 2) >= 0: print('{success}')",
    ),
    Attack("make memory that no limit counts", ("seccomp",), "import os; os.memfd_create('x'); print('{success}')"),
    Attack(
        "enter new namespaces",
        ("seccomp",),
        "import ctypes\nif ctypes.CDLL(None).unshare(0x10000000) == 0: print('{success}')",
    ),
    Attack(
        "keep a key in the kernel",
        ("seccomp",),
        "import ctypes\nnumber = dict(x86_64=248, aarch64=217)[__import__('os').uname().machine]\n"
        "if ctypes.CDLL(None).syscall(number, b'user', b'x', b'x', 1, -3) >= 0: print('{success}')",
    ),
    Attack(
        "see whether another user's file is there",
        ("mount",),
        "import os; os.stat('{canary}'); print('{success}')",
        known_leak=True,
    ),
    Attack(
        "ask whether it may read another user's file",
        ("mount",),
        "import os\nif os.access('{canary}', os.F_OK): print('{success}')",
        known_leak=True,
    ),
    Attack(
        "enter another user's directory",
        ("mount",),
        "import os; os.chdir(os.path.dirname('{canary}')); print('{success}')",
        known_leak=True,
    ),
    Attack(
        "list the attributes of another user's file",
        ("seccomp", "mount"),
        "import os; os.listxattr('{canary}'); print('{success}')",
    ),
)


@dataclass(frozen=True)
class LayerState:
    """One layer of the sandbox on this machine."""

    name: str
    state: str
    """ "holds", "fails", or "missing" when the machine does not offer it."""
    purpose: str
    evidence: str


@dataclass(frozen=True)
class AttackResult:
    """How an attack on the whole sandbox ended."""

    name: str
    stopped: bool
    evidence: str
    known_leak: bool = False


@dataclass(frozen=True)
class Examination:
    """The results for this machine."""

    layers: tuple[LayerState, ...]
    attacks: tuple[AttackResult, ...]
    advice: str

    @property
    def holds(self) -> bool:
        """Whether no layer fails, and no attack succeeds but the known leaks."""
        return not self.through and all(layer.state != "fails" for layer in self.layers)

    @property
    def through(self) -> list[str]:
        """The attacks that succeeded, without the known leaks."""
        return [attack.name for attack in self.attacks if not attack.stopped and not attack.known_leak]

    @property
    def leaks(self) -> list[str]:
        """The known leaks that succeeded."""
        return [attack.name for attack in self.attacks if not attack.stopped and attack.known_leak]

    def to_dict(self) -> dict[str, Any]:
        return {**asdict(self), "holds": self.holds}


def examine() -> Examination:
    """Try every layer, then the whole sandbox.

    >>> examine().holds                                                          # doctest: +SKIP
    True
    """
    with _targets() as targets:
        layers = tuple(_examine_layer(name, targets) for name in LAYERS)
        with contextlib.closing(Box(list(LAYERS))) as box:
            attacks = tuple(_attack_whole(box, attack, targets) for attack in ATTACKS)
    examination = Examination(layers, attacks, "")
    return replace(examination, advice=_advice(examination))


def _examine_layer(name: str, targets: dict[str, Any]) -> LayerState:
    wanted = [name, *NEEDED_WITH.get(name, ())]
    with contextlib.closing(Box(wanted)) as box, contextlib.closing(Box(wanted[1:])) as bare:
        if name not in box.layers:
            return LayerState(name, "missing", LAYERS[name], _why_missing(name))
        for attack in ATTACKS:
            if name in attack.layers:
                if not _succeeds(bare, attack, targets)[0]:
                    continue  # it fails here without the layer too, so it proves nothing
                succeeded, last_line = _succeeds(box, attack, targets)
                return LayerState(name, "fails" if succeeded else "holds", LAYERS[name], f"{attack.name}: {last_line}")
    return LayerState(name, "holds", LAYERS[name], "in force; no attack of ours needs it on this machine")


def _attack_whole(box: Box, attack: Attack, targets: dict[str, Any]) -> AttackResult:
    succeeded, last_line = _succeeds(box, attack, targets)
    return AttackResult(attack.name, not succeeded, last_line, attack.known_leak)


def _succeeds(box: Box, attack: Attack, targets: dict[str, Any]) -> tuple[bool, str]:
    """Whether the attack succeeds, and the last line of the program's errors."""
    try:
        box.load("stdin", attack.program.format(**targets))
        run = box.run(b"", LIMITS)
    except BoxLost as lost:
        return False, str(lost)
    succeeded = SUCCESS in box.stdout.get(LIMITS.output_bytes * 8)
    lines = box.stderr.get(1 << 16).decode("utf-8", "replace").strip().splitlines()
    return succeeded, "succeeded" if succeeded else lines[-1] if lines else f"ended with status {run.status}"


@contextlib.contextmanager
def _targets() -> Iterator[dict[str, Any]]:
    """The targets of the attacks: a file that all may read and a secret one, a service on loopback and one at a path,
    shared memory, this process."""
    with (
        tempfile.TemporaryDirectory(prefix="microcoder-doctor-", dir="/var/tmp") as directory,
        socket.socket() as server,
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as datagrams,
    ):
        os.chmod(directory, 0o755)
        paths = {"canary": os.path.join(directory, "canary"), "secret": os.path.join(directory, "secret")}
        for name, mode in (("canary", 0o666), ("secret", 0o600)):
            with open(paths[name], "w") as file:
                file.write("not for you\n")
            os.chmod(paths[name], mode)
        with contextlib.suppress(OSError):  # the file system may have no attributes
            os.setxattr(paths["canary"], "user.microcoder", b"not for you")
        paths["datagram"] = os.path.join(directory, "datagram")
        datagrams.bind(paths["datagram"])
        os.chmod(paths["datagram"], 0o777)
        server.bind(("127.0.0.1", 0))
        server.listen()
        key = 0x6D630000 | os.getpid() & 0xFFFF
        segment = libc.call("shmget", key, 1, 0o1666)
        try:
            port = server.getsockname()[1]
            yield {**paths, "port": port, "key": key, "pid": os.getpid(), "success": SUCCESS.decode()}
        finally:
            libc.call("shmctl", segment, 0, None)


def _why_missing(name: str) -> str:
    if name == "user" and os.geteuid() == 0:
        return "not needed: root makes the other namespaces directly"
    if name == "user_id":
        if os.geteuid():
            return "not needed: you are not root"
        return "only root can read this interpreter, so programs run as root without its powers (needs the mount layer)"
    if name == "landlock":
        return "the kernel has no Landlock (Linux 5.13 or newer, CONFIG_SECURITY_LANDLOCK)"
    if name in ("user", "pid", "mount", "net", "ipc"):
        return "the kernel or the container refuses new namespaces (unshare)"
    return "not available on this machine"


def _advice(examination: Examination) -> str:
    state = {layer.name: layer.state for layer in examination.layers}
    if examination.through:
        return f"DO NOT run untrusted programs here: the sandbox does not stop: {', '.join(examination.through)}."
    if state["seccomp"] != "holds" or (state["landlock"] != "holds" and state["mount"] != "holds"):
        return "Weak: use a machine whose kernel has seccomp, and Landlock or namespaces."
    missing = [name for name in ("pid", "mount", "net") if state[name] == "missing"]
    if missing:
        leaks = f" A program can {' and '.join(examination.leaks)} (docs/sandbox.md)." if examination.leaks else ""
        return (
            f"Sound: system calls and files are guarded.{leaks} Missing as a second wall: "
            f"{', '.join(missing)} (allow unprivileged user namespaces to get them)."
        )
    return "Strong: every attack is stopped, most of them by two layers or more."
