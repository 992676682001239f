"""Grading on a Ray cluster: the library's verdicts, each exactly once, whatever becomes of actors and nodes."""

from __future__ import annotations

import json
import multiprocessing
import os
import pickle
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import wait
from pathlib import Path
from typing import Any

import pytest

from microcoder_eval import GraderError, InputError, Problem, Submission, Verdict, connect
from microcoder_eval.connection.cluster.nodes import NAMESPACE
from tests.eval.command import GRADE, MICROCODER, PROBLEM, RIGHT, ROOT, microcoder, write
from tests.eval.connection.cluster.conftest import Nodes

ray = pytest.importorskip("ray", reason="needs the extra ray")

SUM = Problem.from_dict(PROBLEM)
GRADINGS = 240


def submission(number: int) -> Submission:
    """Every third one is wrong."""
    return Submission(str(number), "sum", code=f"{'print(3)' if number % 3 == 0 else RIGHT}\n# {number}")


def check(grades: list[tuple[str, Verdict]], count: int) -> None:
    assert sorted(int(name) for name, _ in grades) == list(range(count))
    assert all((verdict is Verdict.ACCEPTED) == (int(name) % 3 > 0) for name, verdict in grades)


def actors() -> list[dict[str, Any]]:
    named: list[dict[str, Any]] = ray.util.list_named_actors(all_namespaces=True)
    return [actor for actor in named if actor["namespace"] == NAMESPACE]


def test_it_gives_what_a_grader_gives(nodes: Nodes) -> None:
    nodes.have(3)
    with connect("ray://auto") as grader:
        grade = grader.grade(SUM, f"```python\n{RIGHT}\n```")
        assert (grade.verdict, grade.code, grade.problem_id) == (Verdict.ACCEPTED, RIGHT, "sum")
        assert len(grader.submit(SUM, "```python\nprint(0)\n```", all_tests=True).result().tests) == 2
        assert [output.value for output in grader.outputs(SUM, submission(1)).result()] == ["3\n", "7\n"]
        assert grader.run("print(input() + '!')", stdin="hello").stdout == "hello!\n"
        with pytest.raises(InputError, match="cobol"):
            grader.grade(SUM, Submission("s", "sum", code="x", language="cobol"))
        with pytest.raises(InputError):
            grader.grade(SUM, Submission("s", "other", code="x"))
        with pytest.raises(TypeError):
            grader.submit(PROBLEM, "x")  # type: ignore[arg-type]
        assert pickle.loads(pickle.dumps(grader)).grade(SUM, submission(1)).accepted
        values = [{"input": [(1, 2)], "output": {3}}, {"input": ["x" * 100_000], "output": 100_000}]
        call = Problem.from_dict({"id": "call", "kind": "call", "entry_point": "f", "tests": values})
        code = "def f(a):\n    return len(a) if isinstance(a, str) else {sum(a)}"
        for number in range(2):  # a large problem goes through the object store, and stays on its node
            assert grader.grade(call, Submission("c", "call", code=f"{code}\n# {number}")).accepted
    with pytest.raises(GraderError, match="closed"):
        grader.submit(SUM, "x")


def test_a_node_is_killed_in_the_middle(nodes: Nodes) -> None:
    nodes.have(3)
    taken = 0

    def pairs() -> Iterator[tuple[Problem, Submission]]:
        nonlocal taken
        for taken in range(1, GRADINGS + 1):
            yield SUM, submission(taken - 1)

    grades, most_held = [], 0
    with connect("ray://auto") as grader:
        for grade in grader.grade_many(pairs()):
            grades.append((grade.submission_id, grade.verdict))
            most_held = max(most_held, taken - len(grades))
            if len(grades) == GRADINGS // 3:
                nodes.kill_one()
    check(grades, GRADINGS)
    assert most_held <= 64


def test_killed_actors_are_replaced_and_nothing_is_left_of_them(nodes: Nodes) -> None:
    nodes.have(2)
    grades, killed = [], 0
    with connect("ray://auto") as grader:
        for grade in grader.grade_many((SUM, submission(number)) for number in range(GRADINGS)):
            grades.append((grade.submission_id, grade.verdict))
            if len(grades) in (30, 100):
                for actor in actors():
                    ray.kill(ray.get_actor(actor["name"], namespace=NAMESPACE))
                    killed += 1
    check(grades, GRADINGS)
    assert killed >= 2


def test_programs_share_the_actors_and_a_program_that_ends_costs_no_verdict(nodes: Nodes) -> None:
    nodes.have(2)
    program = (
        "import sys; from tests.eval.connection.cluster.test_cluster import *\n"
        "grader = connect('ray://auto')\n"
        "print(grader.grade(SUM, submission(1)).verdict, flush=True); sys.stdin.readline()"
    )
    environment = {**os.environ, "PYTHONPATH": ROOT}
    pipes: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "env": environment, "cwd": ROOT}
    with subprocess.Popen([sys.executable, "-c", program], **pipes) as other:
        assert other.stdout is not None
        assert any("accepted" in line.lower() for line in iter(other.stdout.readline, "")), (
            "Ray's own lines may be first"
        )
        with connect("ray://auto") as grader:
            assert grader.grade(SUM, submission(1)).accepted
            wait_for(lambda: len(actors()) == len(nodes.alive))
            waiting = [grader.submit(SUM, submission(number)) for number in range(60)]
            other.communicate("\n")  # it owned the actors, and they end with it
            check([(one.result().submission_id, one.result().verdict) for one in waiting], 60)


def test_what_cannot_be_had_is_said(nodes: Nodes) -> None:
    nodes.have(1)
    with (
        connect("ray://auto", cpus=8) as grader,
        pytest.raises(GraderError, match=r"has 1 CPUs, and 8 are asked for"),
    ):
        grader.grade(SUM, submission(1))
    with connect("ray://auto", cpus=0.5, workers=1) as half:
        assert half.grade(SUM, submission(1)).accepted
        wait_for(lambda: ray.available_resources().get("CPU", 0) == len(nodes.alive) * 0.5)
    with pytest.raises(InputError, match="cpus"):
        connect("ray://auto", cpus=0)
    for wrong in ("ray:x", "ray://", "ray://head"):
        with pytest.raises(InputError, match="no address of a Ray cluster"):
            connect(wrong)


def test_a_grader_that_is_closed_answers_nobody_later(nodes: Nodes) -> None:
    nodes.have(1)
    grader = connect("ray://auto")
    waiting = [grader.submit(SUM, submission(number)) for number in range(50)]
    waiting[0].result()
    grader.close()
    assert all(one.done() for one in waiting)
    assert any(isinstance(one.exception(), GraderError) for one in waiting)
    grader.close()


def test_cancelled_futures_free_their_place(nodes: Nodes) -> None:
    """Otherwise these programs would take an hour."""
    nodes.have(1)
    endless = Problem.from_dict({"id": "e", "time_limit_s": 10, "tests": [{"input": "", "output": ""}] * 4})
    with connect("ray://auto") as grader:
        assert grader.grade(SUM, submission(1)).accepted
        slow = [
            grader.submit(endless, Submission("s", "e", code=f"n = {number}\nwhile True: n += 1"), all_tests=True)
            for number in range(100)
        ]
        time.sleep(3)
        assert all(future.cancel() for future in slow)
        began = time.monotonic()
        assert grader.grade(SUM, submission(2)).accepted
        assert time.monotonic() - began < 600
        assert not wait(slow, timeout=600).not_done


def test_a_fork_of_a_connected_process_is_refused(nodes: Nodes) -> None:
    nodes.have(1)
    with connect("ray://auto") as grader:
        assert grader.grade(SUM, submission(1)).accepted
        context = multiprocessing.get_context("fork")
        child = context.Process(target=_in_fork, args=(grader,))
        child.start()
        child.join(120)
        assert child.exitcode == 0


def _in_fork(grader: Any) -> None:
    for one in (grader, connect("ray://auto")):
        try:
            one.submit(SUM, submission(1))
        except GraderError as error:
            assert "forked" in str(error)
        else:
            os._exit(1)
    os._exit(0)


def test_the_command_grades_a_file(nodes: Nodes, tmp_path: Path) -> None:
    nodes.have(2)
    write(tmp_path / "p.jsonl", [PROBLEM])
    write(tmp_path / "s.jsonl", [submission(number).to_dict() for number in range(60)])
    done = microcoder(*GRADE, "--engine", "ray", "--address", nodes.address, "--quiet", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in (tmp_path / "out/grades.jsonl").read_text().splitlines()]
    check([(line["submission_id"], Verdict(line["verdict"])) for line in lines], 60)
    again = microcoder(*GRADE, "--engine", "ray", "--cache", "c", cwd=tmp_path)
    assert again.returncode == 2 and "--cache" in again.stderr
    unused = microcoder(*GRADE, "--node-cpus", 1, cwd=tmp_path)
    assert unused.returncode == 2 and "--engine ray" in unused.stderr


CLIENT = """
import sys
from microcoder_eval import connect
from tests.eval.connection.cluster.test_cluster import *

with connect(sys.argv[1], workers=1) as grader:
    assert grader.grade(SUM, f"```python\\n{RIGHT}\\n```").accepted
    grades = grader.grade_many((SUM, submission(number)) for number in range(60))
    check([(grade.submission_id, grade.verdict) for grade in grades], 60)
    large = Problem.from_dict({"id": "large", "tests": [{"input": "x" * 200_000, "output": "200000"}]})
    assert grader.grade(large, Submission("l", "large", code="print(len(input()))")).accepted
    assert pickle.loads(pickle.dumps(grader)).run("print(input())", stdin="hello").stdout == "hello\\n"
"""


def test_through_ray_client(nodes: Nodes, tmp_path: Path) -> None:
    """From a process that is no part of the cluster."""
    pytest.importorskip("grpc", reason="needs ray[client]")
    nodes.have(2)
    environment = {**os.environ, "PYTHONPATH": ROOT}
    if (Path.home() / ".ray" / "auth_token").exists():  # then the cluster asks for it, and Ray Client has to be told
        environment["RAY_AUTH_MODE"] = "token"
    environment.pop("RAY_ADDRESS", None)
    command = [sys.executable, "-c", CLIENT, nodes.client]
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    write(tmp_path / "p.jsonl", [PROBLEM])
    write(tmp_path / "s.jsonl", [submission(number).to_dict() for number in range(30)])
    command = [*MICROCODER, *GRADE, "--engine", "ray", "--address", nodes.client]
    graded = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True)
    assert graded.returncode == 0, graded.stderr
    lines = [json.loads(line) for line in (tmp_path / "out/grades.jsonl").read_text().splitlines()]
    check([(line["submission_id"], Verdict(line["verdict"])) for line in lines], 30)


def test_an_address_of_ray_client_without_a_port_is_refused_at_once(tmp_path: Path) -> None:
    write(tmp_path / "p.jsonl", [PROBLEM])
    write(tmp_path / "s.jsonl", [submission(1).to_dict()])
    done = microcoder(*GRADE, "--engine", "ray", "--address", "ray://127.0.0.1", cwd=tmp_path)
    assert (done.returncode, "ray://HOST:PORT" in done.stderr) == (2, True)


def test_options_that_no_grader_has_are_refused() -> None:
    with pytest.raises(TypeError, match="did you mean 'workers'"):
        connect("ray://auto", workres=2)


def test_a_cluster_that_is_not_there_is_one_clear_error(tmp_path: Path) -> None:
    write(tmp_path / "p.jsonl", [PROBLEM])
    write(tmp_path / "s.jsonl", [submission(1).to_dict()])
    done = microcoder(*GRADE, "--engine", "ray", "--address", "127.0.0.1:1", cwd=tmp_path)
    assert (done.returncode, "Traceback" in done.stderr) == (2, False)
    assert "cannot reach a Ray cluster at 127.0.0.1:1" in done.stderr


def wait_for(condition: Any) -> None:
    deadline = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.1)
