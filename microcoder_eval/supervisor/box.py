"""The supervisor's side of one sandbox: start its zygote, load a program, run it, watch the clock, end it.

A box runs one program at a time. When its zygote is lost, every call raises `BoxLost`; the owner closes the box and
makes a new one. `sandbox/serve.py` lists the requests and the zygote's answers.

Longer than most files: it is one class, and every way in which a run or a box can end is in one place.
"""

from __future__ import annotations

import contextlib
import marshal
import os
import select
import signal
import socket
import subprocess
from collections.abc import Sequence
from typing import Any, NamedTuple

from microcoder_eval.boundary.box_protocol import (
    ASSERTS_PROGRAM,
    CALL_PROGRAM,
    DONE,
    LIMIT,
    LOAD,
    ONE_RUN,
    OPEN_SESSION,
    PIPES,
    RUN,
    STDIN,
    STDIN_PROGRAM,
    WIPE,
    ZYGOTE,
)
from microcoder_eval.boundary.clean_interpreter import command
from microcoder_eval.boundary.layers import DEVICES, interpreter_paths, readable_paths
from microcoder_eval.boundary.wipe import wipe
from microcoder_eval.protocol.sealed_text import SealedText
from microcoder_eval.supervisor import lay_out
from microcoder_eval.supervisor.cpu_pinning import unpin
from microcoder_eval.supervisor.memory_file import MemoryFile, undo_settings
from microcoder_eval.supervisor.processes import Watched, WatchedTree, children_of
from microcoder_eval.supervisor.run import BoxLost, Run, SessionRun
from microcoder_eval.supervisor.source_text import lengthened, looks_inside, may_print_at_its_end
from microcoder_eval.supervisor.watch import ASK_FROM_S, FIRST_LOOK_S, Limits, Watch

ANSWER_DEADLINE_S = 60.0
COMPILE_LIMITS = Limits(cpu_s=3.0, memory_bytes=1 << 30, output_bytes=0)
SESSION_END_S = 1.0
LONGEST_ANSWER = 65536
LONGEST_SESSION_ANSWER = 4096
ASKED = (STDIN_PROGRAM, CALL_PROGRAM, ASSERTS_PROGRAM)
"""The kinds of programs that are asked whether they can end."""
LONGEST_RUN_S = 3600.0


class LoadError(NamedTuple):
    """Why a program cannot be loaded: texts from the zygote, empty where nothing is known."""

    text: str = ""
    line: str = ""
    exception: str = ""


class Box:
    """One zygote with its files and sockets.

    >>> box = Box(["seccomp", "landlock", "limits"])                           # doctest: +SKIP
    >>> box.load("stdin", "print(input())")                                    # doctest: +SKIP
    ''
    >>> box.run(b"hello", Limits(1.0, 256 << 20, 1 << 20)).status              # doctest: +SKIP
    0
    >>> box.stdout.get()                                                       # doctest: +SKIP
    b'hello\\n'
    """

    module = ZYGOTE
    """The module that runs in the sandbox."""
    may_be_pinned = True
    """Whether it may share its supervisor's CPU (see `cpu_pinning`)."""

    def __init__(
        self, layers: Sequence[str], directory: str | None = None, preload: Sequence[str] = (), peer: Box | None = None
    ) -> None:
        """`peer`: a box whose programs exchange messages with this one's, over its session socket."""
        self.stdin = MemoryFile("stdin", read_only=True)
        self.stdout, self.stderr = MemoryFile("stdout"), MemoryFile("stderr")
        self.result = MemoryFile("result")
        self._request = MemoryFile("request", read_only=True)
        self._control, control = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._session, session = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._directory = lay_out.new_directory(directory)
        self._poll = select.poll()
        self._poll.register(self._control, select.POLLIN)
        session_end = session if peer is None else peer._session
        handed = [control.fileno(), self._request.handed, session_end.fileno(), self.result.fd]
        self._process = subprocess.Popen(
            command(self.module, marshal.dumps(self._configuration(layers, preload, handed)).hex(), site=False),
            stdin=self.stdin.handed,
            stdout=self.stdout.fd,
            stderr=self.stderr.fd,
            pass_fds=handed,
            cwd="/",
            env=_ENVIRONMENT,
            start_new_session=True,
        )
        if not self.may_be_pinned:
            unpin(self._process.pid)
        control.close()
        session.close()
        self.layers: tuple[str, ...] = ()
        self.zygote = self._process.pid
        try:
            self.layers, self._box = self._receive_report()
        except BoxLost:
            self._box = os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC)
            self.close()
            raise
        self._empty_size = os.fstat(self._box).st_size
        self._present_stdin: MemoryFile | SealedText = self.stdin
        self._limits: Limits | None = None
        self._watched: type[Watched] | type[WatchedTree] = Watched
        self._loaded: dict[str, object] | None = None
        self._may_be_asked = False
        self._longest_s = 0.0
        """The longest CPU time of a run of the loaded program that ended."""
        self.forks = 0
        """How many processes it has started for programs."""
        self.load_error = LoadError()
        """Why the program that was given to `load` last cannot be loaded."""
        self._poll_both = select.poll()
        self._poll_both.register(self._control, select.POLLIN)
        self._poll_both.register(self._session, select.POLLIN)
        self._session_ready = [(self._session.fileno(), select.POLLIN)]
        # with the mount layer, a file system of fixed size bounds what programs write
        self._writable = None if "mount" in self.layers else os.path.join(self._directory, "box")
        inner = children_of(self._process.pid) if "pid" in self.layers else []
        self.zygote = inner[0] if inner else self._process.pid

    def _receive_report(self) -> tuple[tuple[str, ...], int]:
        """Receive the layers that hold, and a descriptor of the programs' working directory.

        Their stdout comes with it, because the zygote may have made a better file for it (see `huge_file`).
        """
        if not self._poll.poll(ANSWER_DEADLINE_S * 1000):
            raise BoxLost(f"no answer for {ANSWER_DEADLINE_S:g} s", from_outside=True)
        answer, descriptors, _, _ = socket.recv_fds(self._control, LONGEST_ANSWER, 2)
        if not answer:
            raise self._lost()
        os.dup2(descriptors[1], self.stdout.fd, inheritable=False)
        os.close(descriptors[1])
        return tuple(answer.decode().replace("-", "").split()), descriptors[0]

    def _configuration(self, layers: Sequence[str], preload: Sequence[str], handed: list[int]) -> dict[str, object]:
        # with the mount layer, a new file system covers `root` and has `box` in it; otherwise `box` itself is used
        os.chmod(self._directory, 0o711)
        writable = os.path.join(self._directory, "box")
        os.mkdir(writable)
        os.chmod(writable, 0o777)
        return {
            "layers": list(layers),
            "preload": list(preload),
            "descriptors": handed,
            "root": self._directory,
            "box": writable,
            "path": interpreter_paths(),
            "readable": readable_paths(),
            "devices": DEVICES,
        }

    def load(self, kind: str, source: str, **request: object) -> str:
        """Compile a program for later runs; returns the error's text, empty when there is none.

        When compiling takes too much time or memory, the zygote is killed, and the box is lost.
        """
        record = {"kind": kind, "source": source, **request}
        if record != self._loaded:
            self._loaded = None
            text, runs_destructors = lengthened(source), may_print_at_its_end(source)
            self._request_record(LOAD, {**record, "source": text, "runs_destructors": runs_destructors})
            ended = self._end_compiler()
            self.load_error = LoadError(ended) if ended else _load_error(self._answer())
            self._loaded = record
            self._may_be_asked = kind in ASKED and not looks_inside(source)
            self._longest_s = 0.0
        return self.load_error.text

    def put_file(self, name: str, data: bytes) -> None:
        """Write a file into the working directory, for the next run. Raises `BoxLost` when that fails."""
        lay_out.put_file(self._box, name, data)

    def put_directory(self, name: str) -> None:
        """Make a directory that the next run may write to, in the working directory. Raises `BoxLost` if that fails."""
        lay_out.put_directory(self._box, name)

    def set_limits(self, limits: Limits) -> None:
        """Set the limits of later runs."""
        if limits != self._limits:
            self._request_record(LIMIT, [self._address_space(limits), limits.output_bytes])
            self._answer()
            self._limits = limits

    def _address_space(self, limits: Limits) -> int | None:
        """The memory limit from which the limit of the address space follows; None sets no such limit."""
        return limits.memory_bytes

    def _request_record(self, request: bytes, record: Any) -> None:
        self._request.put(marshal.dumps(record))
        self._send(request)

    def _answer(self) -> str:
        answer = self._receive(ANSWER_DEADLINE_S)
        return "" if answer == DONE else answer.decode("utf-8", "replace")

    def _end_compiler(self) -> str:
        """Wait until the zygote has compiled the program; kill it at a limit. Returns the reason, or ""."""
        if self._poll.poll(FIRST_LOOK_S * 1000):
            return ""
        with contextlib.closing(Watched(self.zygote)) as compiler:
            first = now = compiler.read()
            while first and now and not self._poll.poll(FIRST_LOOK_S * 1000):
                if now.cpu_s - first.cpu_s > COMPILE_LIMITS.cpu_s:
                    compiler.kill()
                    return f"takes more than {COMPILE_LIMITS.cpu_s:g} s to compile"
                if now.memory_bytes > COMPILE_LIMITS.memory_bytes:
                    compiler.kill()
                    return f"takes more than {COMPILE_LIMITS.memory_bytes >> 20} MiB to compile"
                now = compiler.read()
        return ""

    def run(self, stdin: bytes | SealedText, limits: Limits) -> Run:
        """Run the loaded program once, in a process of its own; once more if somebody else killed that process."""
        self.start(stdin, limits)
        run = self.wait()
        if run.killed:
            self.start(stdin, limits)
            run = self.wait()
        return run

    def start(self, stdin: bytes | SealedText, limits: Limits, pipes: tuple[int, int] | None = None) -> None:
        """Begin a run; `wait` waits for its end. `pipes` replace stdin and stdout (see `conversation`)."""
        self.set_limits(limits)
        self._prepare(stdin)
        if pipes is not None:
            self._send(PIPES)
            self._send_descriptors(pipes)
        self._send(RUN)
        self.forks += 1
        self._watch = self._new_watch(limits)

    def _new_watch(self, limits: Limits, fresh: bool = True) -> Watch:
        bounded = self._address_space(limits) is not None
        ask_from_s = max(ASK_FROM_S, 2 * self._longest_s) if self._may_be_asked else None
        return Watch(self.zygote, limits, fresh, self._writable, self._watched, bounded, ask_from_s)

    def wait(self) -> Run:
        """Wait for the end of the run that `start` began; returns how it ended."""
        stopped, _ = self._wait_for(self._poll)
        return self.collect_run(stopped)

    def fileno(self) -> int:
        """The descriptor that becomes readable when a run has ended."""
        return self._control.fileno()

    @property
    def watch(self) -> Watch:
        """The clock of the present run."""
        return self._watch

    def has_ended(self) -> bool:
        """Whether the run that `start` began has ended."""
        return bool(self._poll.poll(0))

    def collect_run(self, stopped: str = "") -> Run:
        """Collect the run that has ended, and empty the working directory. `stopped`: why its watch has ended it."""
        run = self._receive_run(stopped)
        if not run.status:
            self._longest_s = max(self._longest_s, run.cpu_s)
        self._tidy_up()
        return run

    def open_session(self, stdin: bytes, limits: Limits) -> tuple[list[SessionRun], bool]:
        """Start a process that can run the program again and again, and run it once: see `run_in_session`.

        The process is told nothing before its first answer: the zygote first discards what an earlier one has left
        unread, and one that ends while it is told something leaves that.
        """
        self.set_limits(limits)
        self.drain_session()
        self._prepare(stdin)
        self._send(OPEN_SESSION)
        self.forks += 1
        self._watch = self._new_watch(limits)
        return self._session_answer(1)

    def run_in_session(self, inputs: Sequence[bytes], limits: Limits) -> tuple[list[SessionRun], bool]:
        """Run the program in the open session, once for each input.

        Returns the runs up to the first failure, and whether the session is still open. No run at all means that the
        process cannot take several inputs together, or has ended meanwhile. What it reports is not trusted. The
        supervisor watches time and memory of all inputs together, and a status other than 0 can only make a run
        fail. The process may report any part of its output as a run's: it has written all of it.
        """
        if len(inputs) == 1:
            self._prepare(inputs[0], fresh=False)
        else:
            for file in (self.stdout, self.stderr, self.result):
                file.skip()
        self._watch = self._new_watch(limits, fresh=False)
        self._send_to_session(ONE_RUN if len(inputs) == 1 else marshal.dumps([*inputs]))
        return self._session_answer(len(inputs))

    def _session_answer(self, inputs: int) -> tuple[list[SessionRun], bool]:
        """Wait until the session's process has run so many inputs."""
        stopped, ready = self._wait_for(self._poll_both)
        if stopped or ready != self._session_ready:  # its process has ended
            run = self.collect_run(stopped)  # which of several runs has written what is not known then
            return ([SessionRun(run, 0, 0)] if inputs == 1 else []), False
        wall_s = self._watch.elapsed_s() / inputs
        self._watch.close()
        return _session_runs(self._session.recv(LONGEST_SESSION_ANSWER), inputs, wall_s), True

    def show(self, run: SessionRun) -> None:
        """Let stdout and the result file be what this run has written, after that of the runs before it."""
        self.stdout.show_next(run.stdout_end)
        self.result.show_next(run.result_end)

    def stop(self) -> Run:
        """Kill the run that `start` began, and collect it."""
        while not self._poll.poll(0):
            self._watch.kill()
            self._poll.poll(FIRST_LOOK_S * 1000)
            if self._watch.elapsed_s() > LONGEST_RUN_S:
                raise BoxLost("a run could not be ended")
        return self.collect_run("stopped")

    def close_session(self) -> Run:
        """End the session's process; returns what it used in all."""
        self._send_to_session(b"")
        if not self._poll.poll(SESSION_END_S * 1000):
            self._watch.kill()
        return self.collect_run()

    def _send_to_session(self, datagram: bytes) -> None:
        try:
            self._session.send(datagram, socket.MSG_DONTWAIT)
        except OSError as error:  # the process has stopped reading, so that the socket is full
            raise BoxLost("the session's process does not read its socket", crashed=False) from error

    def _prepare(self, stdin: bytes | SealedText, fresh: bool = True) -> None:
        """`fresh`: the run is its process's first. A later one may find what that process itself has left."""
        if isinstance(stdin, SealedText):
            self._give_stdin(stdin, stdin.descriptor)
            os.lseek(stdin.descriptor, 0, os.SEEK_SET)
        else:
            self._give_stdin(self.stdin, self.stdin.handed)
            self.stdin.put(stdin)
        if fresh:
            undo_settings(stdin.descriptor if isinstance(stdin, SealedText) else self.stdin.handed)
        for file in (self.stdout, self.stderr, self.result):
            if fresh:
                file.clear()
            else:
                file.skip()

    def _give_stdin(self, file: MemoryFile | SealedText, descriptor: int) -> None:
        """Make a file the stdin of later runs, unless it is already."""
        if self._present_stdin is not file:
            self._send(STDIN)
            self._send_descriptors([descriptor])
            self._present_stdin = file

    def _wait_for(self, poll: select.poll) -> tuple[str, list[tuple[int, int]]]:
        """Wait until something arrives, and look at the run meanwhile.

        Returns why the watch has ended it, or "", and what `poll` has found.
        """
        stopped, pause = "", FIRST_LOOK_S
        while not stopped and not (ready := poll.poll(pause * 1000)):
            stopped, pause = self._watch.look()
            if self._watch.elapsed_s() > LONGEST_RUN_S:
                raise BoxLost("a run could not be ended")
        return stopped, ready

    def _receive_run(self, stopped: str) -> Run:
        """Receive the answer to RUN or OPEN_SESSION, and close the watch."""
        status, cpu_us, memory_kb = map(int, self._receive(ANSWER_DEADLINE_S).split())
        wall_s = self._watch.elapsed_s()
        self._watch.close()
        return Run(status, cpu_us / 1e6, wall_s, memory_kb, stopped, self._watch.allowed_s)

    def _tidy_up(self) -> None:
        """Empty the working directory. With the mount layer, the directory's size shows whether that is needed."""
        if self._writable is None and os.fstat(self._box).st_size == self._empty_size:
            return
        if self._writable is not None:
            with os.scandir(self._writable) as entries:
                if next(entries, None) is None:
                    return
        with contextlib.suppress(BoxLost):  # this run has its result; the next one gets a new box
            self._send(WIPE)
            self._answer()

    def drain_session(self) -> None:
        """Discard the datagrams that an earlier child has left on the session's socket."""
        try:
            while self._session.recv(4096, socket.MSG_DONTWAIT):
                pass
        except BlockingIOError:
            return

    def _send(self, request: bytes) -> None:
        try:
            self._control.send(request)
        except OSError as error:
            raise self._lost() from error

    def _send_descriptors(self, descriptors: Sequence[int]) -> None:
        """Send the descriptors for the request just sent, in a datagram of their own."""
        try:
            socket.send_fds(self._control, [DONE], descriptors)
        except OSError as error:
            raise self._lost() from error

    def _receive(self, deadline_s: float) -> bytes:
        try:
            answer = self._control.recv(LONGEST_ANSWER, socket.MSG_DONTWAIT)
        except BlockingIOError:
            if self._poll.poll(deadline_s * 1000):
                return self._receive(0)
            raise BoxLost(f"no answer for {deadline_s:g} s") from None
        except OSError as error:
            raise self._lost() from error
        if not answer:
            raise self._lost()
        return answer

    def _lost(self) -> BoxLost:
        """The error for a zygote that has ended, with the last line that it wrote to stderr."""
        try:
            status = self._process.wait(SESSION_END_S)
        except subprocess.TimeoutExpired:
            return BoxLost("the sandbox process does not answer")
        lines = self.stderr.get(1 << 16).decode("utf-8", "replace").strip().splitlines()
        why = f"the sandbox process ended with status {status}" + (f": {lines[-1]}" if lines else "")
        killed = status in (-signal.SIGKILL, 128 + signal.SIGKILL)
        return BoxLost(why, crashed=status < 0 or status >= 128, from_outside=killed)

    def close(self) -> None:
        """End the zygote and everything in it, and wipe its directory."""
        self._process.kill()
        self._process.wait()
        self._control.close()
        self._session.close()
        os.close(self._box)
        for file in (self.stdin, self.stdout, self.stderr, self.result, self._request):
            file.close()
        with contextlib.suppress(OSError):  # what is left is removed with the supervisor's directory
            wipe(self._directory)
            os.rmdir(self._directory)


def _session_runs(answer: bytes, inputs: int, wall_s: float) -> list[SessionRun]:
    """The runs that a session's process reports; one that failed for an answer that cannot be read."""
    if answer == DONE and inputs > 1:
        return []
    try:
        reported = [tuple(map(int, line.split())) for line in answer.split(b"\n")]
        return [
            SessionRun(Run((status & 0xFF) << 8, cpu_us / 1e6, wall_s, 0), stdout_end, result_end)
            for status, cpu_us, stdout_end, result_end in reported[:inputs]
        ]
    except (ValueError, OverflowError):
        return [SessionRun(Run(1 << 8, 0.0, wall_s, 0), 0, 0)]


def _load_error(answer: str) -> LoadError:
    """The error in an answer to LOAD (see `Zygote.load`)."""
    if not answer:
        return LoadError()
    line, _, rest = answer.partition("\n")
    exception, _, text = rest.partition("\n")
    return LoadError(text or "it cannot be loaded", line, exception)


_ENVIRONMENT = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "LANG": "C.UTF-8",
    "HOME": "/",
    "PYTHONHASHSEED": "0",
    "LD_BIND_NOW": "1",  # symbols are resolved once here, not again in every child
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
}
