"""`connect("node")`: the first process that needs the machine's service starts it, and it ends by itself."""

from __future__ import annotations

import fcntl
import inspect
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from microcoder_eval import Grader, GraderError, InputError, Problem, connect
from microcoder_eval.connection import http_exchange
from microcoder_eval.connection import node as node_module
from microcoder_eval.connection.node import NodeService
from microcoder_eval.scheduling.grader_arguments import CHECKS
from tests.eval.service.running import RIGHT, SUM

pytestmark = pytest.mark.usefixtures("own_runtime_directory")

PROBLEM = Problem.from_dict(SUM)
REPLY = f"```python\n{RIGHT}\n```"
OPTIONS = {"workers": 1, "idle_s": 4}
PROGRAM = (
    "from microcoder_eval import Problem, connect\n"
    f"grader = connect('node', workers=1, idle_s=4)\n"
    f"print(grader.grade(Problem.from_dict({SUM!r}), {REPLY!r}).verdict)"
)


def services(folder: Path) -> list[int]:
    """The processes of services that were started from a folder's sockets, without the children of these processes."""
    parents = dict[int, int]()
    for process in Path("/proc").iterdir():
        if process.name.isdigit():
            try:
                command = (process / "cmdline").read_bytes()
                environment = (process / "environ").read_bytes()
                parent = int((process / "stat").read_text().rsplit(")", 1)[1].split()[1])
            except OSError:
                continue
            if b"node_process" in command and str(folder).encode() in environment:
                parents[int(process.name)] = parent
    return [process for process, parent in parents.items() if parent not in parents]


def wait_until_none(folder: Path, seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while services(folder) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not services(folder)


def test_many_processes_start_one_service_that_ends_by_itself(own_runtime_directory: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    started = [
        subprocess.Popen([sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, env=environment, text=True)
        for _ in range(4)
    ]
    outputs = [process.communicate(timeout=1200)[0] for process in started]
    assert outputs == ["ACCEPTED\n"] * 4
    assert len(services(own_runtime_directory)) == 1
    wait_until_none(own_runtime_directory)


def test_a_killed_service_is_started_again(own_runtime_directory: Path) -> None:
    grader = connect("node", **OPTIONS)
    assert grader.grade(PROBLEM, REPLY).accepted
    (first,) = services(own_runtime_directory)
    os.kill(first, signal.SIGKILL)
    assert grader.grade(PROBLEM, REPLY).accepted
    (second,) = services(own_runtime_directory)
    assert second != first
    os.kill(second, signal.SIGTERM)
    wait_until_none(own_runtime_directory)
    assert grader.grade(PROBLEM, REPLY).accepted  # a third one
    wait_until_none(own_runtime_directory)


@pytest.fixture
def impatience(monkeypatch: pytest.MonkeyPatch) -> None:
    """A service is asked whether it is alive after a second, and has a second for the answer."""
    monkeypatch.setattr(http_exchange, "PROBE_S", 1.0)
    monkeypatch.setattr(http_exchange, "PING_S", 1.0)


@pytest.mark.usefixtures("impatience")
def test_a_service_that_hangs_is_replaced(own_runtime_directory: Path) -> None:
    with connect("node", **OPTIONS) as grader:
        assert grader.grade(PROBLEM, REPLY).accepted
        (first,) = services(own_runtime_directory)
        slow = REPLY.replace("print", "import time; time.sleep(0.5)\nprint")
        waiting = [grader.submit(PROBLEM, f"{slow}\n{number}") for number in range(8)]
        waiting[0].result()
        os.kill(first, signal.SIGSTOP)
        waiting += [grader.submit(PROBLEM, f"{REPLY}\n{number}") for number in range(8)]
        assert all(one.result(600).accepted for one in waiting)
        (second,) = services(own_runtime_directory)
        assert second != first
    wait_until_none(own_runtime_directory)


@pytest.mark.usefixtures("impatience")
def test_of_a_service_that_hangs_only_the_process_itself_is_killed(own_runtime_directory: Path) -> None:
    """The number in its file may be that of another process by now, or have been written in another container."""
    with subprocess.Popen(["sleep", "600"]) as other, connect("node", **OPTIONS) as grader:
        assert grader.grade(PROBLEM, REPLY).accepted
        (first,) = services(own_runtime_directory)
        NodeService(OPTIONS).path.with_suffix(".pid").write_text(str(other.pid))
        os.kill(first, signal.SIGSTOP)
        assert grader.grade(PROBLEM, REPLY).accepted
        assert other.poll() is None
        other.kill()
        os.kill(first, signal.SIGKILL)
    wait_until_none(own_runtime_directory)


def test_a_starter_that_is_stopped_holds_up_nobody_for_longer_than_his_patience(own_runtime_directory: Path) -> None:
    node = NodeService(OPTIONS)
    with open(node.path.with_suffix(".lock"), "wb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        waiting = connect("node", patience_s=2, **OPTIONS).submit(PROBLEM, REPLY)
        with pytest.raises(GraderError, match="no grader has answered for 2 s"):
            waiting.result(60)
    assert connect("node", **OPTIONS).grade(PROBLEM, REPLY).accepted
    wait_until_none(own_runtime_directory)


def test_a_process_that_is_forked_while_the_service_starts_keeps_no_lock(own_runtime_directory: Path) -> None:
    path = own_runtime_directory / "lock"
    with node_module._locked(path) as mine:
        assert mine
        if not (forked := os.fork()):
            time.sleep(600)
            os._exit(0)
    try:
        with node_module._locked(path) as mine:
            assert mine
    finally:
        os.kill(forked, signal.SIGKILL)
        os.waitpid(forked, 0)


def test_a_machine_too_busy_to_start_the_service_in_time_costs_time_only(
    own_runtime_directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(node_module, "START_S", 0.01)
    grader = connect("node", **OPTIONS)
    waiting = grader.submit(PROBLEM, REPLY)
    time.sleep(1)
    assert not waiting.done()
    monkeypatch.undo()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(own_runtime_directory))
    assert waiting.result(120).accepted
    wait_until_none(own_runtime_directory)


def test_the_log_of_a_service_does_not_grow_with_the_gradings(own_runtime_directory: Path) -> None:
    with connect("node", **OPTIONS) as grader:
        assert all(grader.submit(PROBLEM, f"{REPLY}\n{number}").result().accepted for number in range(20))
    assert "/v1/grade" not in NodeService(OPTIONS).path.with_suffix(".log").read_text()
    wait_until_none(own_runtime_directory)


def test_other_settings_are_another_service(own_runtime_directory: Path) -> None:
    paths = {NodeService(options).path for options in ({}, {"workers": 1}, {"policy": "strict"})}
    assert len(paths) == 3
    assert NodeService({}).path in paths


def test_a_directory_of_somebody_else_is_not_used(own_runtime_directory: Path) -> None:
    folder = own_runtime_directory / f"microcoder-{os.getuid()}"
    folder.mkdir()
    folder.chmod(0o777)
    with pytest.raises(GraderError, match="does not belong to this user alone"):
        connect("node")


def test_what_lies_in_the_sockets_place_is_replaced_or_named(own_runtime_directory: Path) -> None:
    node = NodeService(OPTIONS)
    node.path.write_text("a file")
    assert connect("node", **OPTIONS).grade(PROBLEM, REPLY).accepted
    wait_until_none(own_runtime_directory)
    node.path.unlink(missing_ok=True)
    node.path.mkdir()
    with pytest.raises(GraderError, match=r"cannot be started at .*\.sock: Is a directory"):
        connect("node", **OPTIONS).grade(PROBLEM, REPLY)


def test_a_service_that_cannot_start_says_why_at_once(
    own_runtime_directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = own_runtime_directory / "packages"
    broken.mkdir()
    (broken / "uvicorn.py").write_text("raise RuntimeError('half installed')")
    monkeypatch.setenv("PYTHONPATH", str(broken))
    with pytest.raises(GraderError, match=r"did not start: RuntimeError: half installed .*\.log"):
        connect("node", **OPTIONS).grade(PROBLEM, REPLY)
    wait_until_none(own_runtime_directory)


@pytest.mark.parametrize("address", ["node", "local"])
def test_options_that_no_grader_has_are_refused_before_anything_starts(address: str) -> None:
    with pytest.raises(TypeError, match="did you mean 'workers'"):
        connect(address, workres=2)
    with pytest.raises(InputError, match="unknown policy"):
        connect(address, policy="nonsense")
    with pytest.raises(TypeError, match="must be an integer"):
        connect(address, workers="2")


def test_every_option_of_a_grader_is_checked() -> None:
    assert list(CHECKS) == [name for name in inspect.signature(Grader.__init__).parameters if name != "self"]


def test_a_runtime_directory_that_is_not_there_is_not_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A container or `su` may have the variable of another session."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "gone"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert NodeService({}).path.parent == tmp_path / f"microcoder-{os.getuid()}"
    monkeypatch.setenv("XDG_RUNTIME_DIR", "/proc")
    with pytest.raises(GraderError, match="set XDG_RUNTIME_DIR"):
        connect("node")
    (tmp_path / ("d" * 100)).mkdir()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / ("d" * 100)))
    with pytest.raises(GraderError, match="too long for a Unix socket"):
        connect("node")
