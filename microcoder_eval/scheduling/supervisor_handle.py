"""The grader's side of one supervisor process: start it, send and receive messages without blocking, end it."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import socket
import subprocess
import tempfile
import time
from collections import OrderedDict, deque
from collections.abc import Sequence

from microcoder_eval.boundary.clean_interpreter import command
from microcoder_eval.boundary.wipe import remove
from microcoder_eval.protocol import wire
from microcoder_eval.protocol.messages import EXIT_BOX_KILLED, Done, ForgetProblem, Message, Start, pack, unpack
from microcoder_eval.protocol.sealed_text import SealedText
from microcoder_eval.scheduling.job import Part
from microcoder_eval.scheduling.known_problem import PackedProblem

KEPT_PROBLEMS = 3
"""How many problems a supervisor keeps, however large they are."""
KEPT_PROBLEM_BYTES = 256 << 20
"""How many bytes of further problems a supervisor keeps."""
KEPT_FILES = 256
"""How many files of long texts a supervisor keeps."""
FILES_AT_ONCE = 200
"""How many files are sent with one piece of data: fewer than the kernel allows (`wire.MOST_FILES`)."""
LONGEST_SILENCE_S = 3 * 3600.0
"""A supervisor that is silent for so long is given up. It sends `Working` between tests, and ends every run and every
compiler long before this."""
END_S = 2.0
"""How long a supervisor that has closed its socket may take to end."""


class SupervisorHandle:
    """One supervisor process and the parts that it is running."""

    def __init__(self, layers: Sequence[str], directory: str, programs: str) -> None:
        """`directory`: the supervisor makes it for its boxes. `programs`: where compiled programs are kept, or ""."""
        self.socket, theirs = socket.socketpair()
        self._directory = directory
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed in `end`
        start = Start(list(layers), directory, os.getpid(), programs)
        self._process = subprocess.Popen(
            command("supervisor.process", start.to_argument(), site=True),
            stdin=theirs.fileno(),
            stdout=subprocess.DEVNULL,
            stderr=self._errors.fileno(),
            start_new_session=True,
            cwd="/",
            env={"PATH": os.defpath, "LANG": "C.UTF-8"},
        )
        theirs.close()
        self.socket.setblocking(False)
        self.registered = 0
        """The events that the pool waits for now (see `interest`)."""
        self.ready = False
        self.killed = False
        """Whether a SIGKILL from outside ended it, or ended its first sandbox at every attempt."""
        self.parts: dict[int, Part] = {}
        self.heard_at = time.monotonic()
        """When its last message arrived, or when it got work after it had none."""
        self._stopped_at: int | None = None  # at the last look: how often it had run, when it was stopped
        self._outgoing = bytearray()
        self._incoming = wire.Incoming()
        self._known: OrderedDict[str, tuple[int, int]] = OrderedDict()  # by problem: bytes, files
        self._known_bytes = self._known_files = 0
        self._sent = 0
        self._files: deque[tuple[int, Sequence[SealedText]]] = deque()  # files, and the sent byte that carries them
        self._files_for: dict[int, int] = {}  # by part: how many files were sent just before it

    def interest(self) -> int:
        """The events of the socket to wait for."""
        return selectors.EVENT_READ | (selectors.EVENT_WRITE if self._outgoing else 0)

    def read(self) -> tuple[list[Message], bool]:
        """The messages that have arrived, and whether the socket is still open; raises `Malformed`."""
        try:
            data = wire.receive(self.socket)
        except BlockingIOError:
            return [], True
        self.heard_at = time.monotonic()
        messages = [unpack(fields) for fields in self._incoming.feed(data)]
        return [m for m in messages if not isinstance(m, Done) or m.number in self.parts], bool(data)

    def send(self, message: Message) -> None:
        """Send as much of a message as the socket has room for; `write` sends the rest later."""
        self._outgoing += pack(message)
        self.write()

    def write(self) -> bool:
        """Send what is waiting; False when the process is gone."""
        try:
            while self._outgoing:
                sent = self._write_some()
                self._sent += sent
                del self._outgoing[:sent]
        except BlockingIOError:
            return True
        except OSError:
            return False
        return True

    def _write_some(self) -> int:
        """Send data up to the byte that carries the next files; send files with the byte that carries them."""
        files: Sequence[SealedText] = ()
        if self._files and self._files[0][0] == self._sent:
            files = self._files[0][1]
        following = next((at for at, _ in self._files if at > self._sent), self._sent + wire.SENT_BYTES)
        with memoryview(self._outgoing) as waiting:
            data = waiting[: min(wire.SENT_BYTES, following - self._sent)]
            if not files:
                return self.socket.send(data)
            sent = socket.send_fds(self.socket, [data], [file.descriptor for file in files])
        self._files.popleft()
        return sent

    @property
    def files_on_the_way(self) -> int:
        """How many files the supervisor may not have received yet: all that were sent for parts that have not ended."""
        return sum(self._files_for.values())

    def send_problem(self, key: str, packed: PackedProblem, part: int, most_files: int) -> None:
        """Send a problem before a part, unless the supervisor has it; have it forget those used longest ago.

        When the problem has more files than `most_files`, its long texts are sent in the message.
        """
        if key in self._known:
            self._known.move_to_end(key)
            return
        if packed.files and len(packed.files) > most_files:
            self._note_known(key, packed.size, 0)
            self._outgoing += packed.as_text()
        else:
            self._note_known(key, packed.size, len(packed.files))
            self._files_for[part] = len(packed.files)
            for number, start in enumerate(range(0, len(packed.files), FILES_AT_ONCE)):
                files = packed.files[start : start + FILES_AT_ONCE]
                self._files.append((self._sent + len(self._outgoing) + number, files))
            self._outgoing += packed.message
        while len(self._known) > KEPT_PROBLEMS and (
            self._known_bytes > KEPT_PROBLEM_BYTES or self._known_files > KEPT_FILES
        ):
            oldest, (size, open_files) = self._known.popitem(last=False)
            self._known_bytes, self._known_files = self._known_bytes - size, self._known_files - open_files
            self._outgoing += pack(ForgetProblem(oldest))
        self.write()

    def _note_known(self, key: str, size: int, files: int) -> None:
        self._known[key] = size, files
        self._known_bytes, self._known_files = self._known_bytes + size, self._known_files + files

    def forget_part(self, number: int) -> None:
        """Forget a part that has ended, or whose outcomes are ignored from now on."""
        del self.parts[number]
        self._files_for.pop(number, None)

    def is_stuck(self) -> str:
        """Why the supervisor will not answer, or "". Call it from time to time while it has work.

        A stopped process (SIGSTOP) is alive and sends nothing. It is stuck when it is stopped at two looks in a row and
        has not run between them: a machine that is suspended stops and continues processes.
        """
        before, self._stopped_at = self._stopped_at, _stopped_at(self._process.pid)
        if self._stopped_at is not None and self._stopped_at == before:
            return "it was stopped by a signal"
        silent_s = time.monotonic() - self.heard_at
        return f"it has said nothing for {silent_s:.0f} s" if silent_s > LONGEST_SILENCE_S else ""

    def wait(self) -> None:
        """Wait a moment for a supervisor that has closed its socket to end: its exit status tells why."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.killed = self._process.wait(END_S) in (-signal.SIGKILL, EXIT_BOX_KILLED)

    def kill(self) -> None:
        """Kill the supervisor and thereby its sandboxes."""
        self.socket.close()
        self._process.kill()

    def end(self) -> str:
        """Kill the supervisor and remove what it leaves; returns the last line that it wrote to stderr."""
        self.kill()
        status = self._process.wait()
        remove(self._directory)
        self._errors.seek(0)
        lines = self._errors.read().decode("utf-8", "replace").strip().splitlines()
        self._errors.close()
        return lines[-1] if lines else f"exit status {status}"


def _stopped_at(pid: int) -> int | None:
    """How often a stopped process has been on a CPU; None while it is not stopped."""
    try:
        with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as file:
            fields = dict(line.split(":", 1) for line in file if ":" in line)
    except OSError:
        return None
    if not fields["State"].strip().startswith("T"):
        return None
    return int(fields["voluntary_ctxt_switches"]) + int(fields["nonvoluntary_ctxt_switches"])
