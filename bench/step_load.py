"""A training step replayed: how long after the last reply is the last verdict, and how much CPU does grading take?

    python bench/step_load.py [--lcb PATH] [--verl PATH] [--rllm PATH] [--sandbox-fusion PATH]
        [--peers-python VENV/bin/python] [--sandbox-fusion-python VENV/bin/python]
        [--problems 64] [--replies 8] [--seconds 60] [--rounds 3] [--load 0] [--only NAME ...] [--json FILE]

`step_workload.py` makes the step and says where its mix comes from. Replies arrive over `--seconds`, as sampling ends
them, and each is submitted at once. Every contender has 2 workers and the problem's time limit; peers measure it in
wall time. Peers grade reply by reply from a pool of processes; their own calls for whole batches would begin only after
the last reply. `--load N` keeps N other processes computing. A verdict is wrong when a right program is rejected or
another one accepted; for our grader the exact verdict counts too. "Programs" is the CPU time that the graded programs
themselves used, by our grades: no grader with so many workers can be faster than that.

SandboxFusion's own server is asked by verl's client (`--verl` too), which sends a test a request, two at once, and all
tests of a program. DeepCoder's cluster is not run: it needs services of its own.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import statistics
import subprocess
import sys
import threading
import time
import types
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

from fidelity_contenders import loaded
from measure import machine, measured, own_cpu
from sandbox_fusion_server import sandbox_fusion
from service_process import service, tree
from step_workload import MEMORY_LIMIT_MB, TIME_LIMIT_S, VERDICTS, Reply, Step, input_bytes, step_of

WORKERS = 2
OURS, PEERS = ("library", "submission", "service"), ("lcb", "verl", "rllm", "sandbox_fusion")
LOOK_S = 0.2
CLIENTS = 64
Submit = Callable[[Reply], "Future[str]"]
ACCEPTED, REJECTED = "ACCEPTED", "REJECTED"


@contextlib.contextmanager
def ours(name: str, step: Step) -> Iterator[Submit]:
    """A `Grader` in this process, or a service beside it."""
    from microcoder_eval import Grader, Problem, Submission, connect

    problems = []
    for task in step.tasks:
        tests = [{"input": given, "output": wanted} for given, wanted in task.tests]
        limits = {"time_limit_s": TIME_LIMIT_S, "memory_limit_mb": MEMORY_LIMIT_MB}
        problems.append(Problem.from_dict({"id": task.id, "tests": tests, **limits}))
    with contextlib.ExitStack() as closing:
        if name == "service":
            running = closing.enter_context(service("--workers", WORKERS))
            grader: Any = closing.enter_context(connect(running.url, at_once=CLIENTS))
        else:
            isolation = "submission" if name == "submission" else "test"
            grader = closing.enter_context(Grader(WORKERS, isolation=isolation))
        yield lambda reply: _verdict_of(
            grader.submit(problems[reply.task], Submission(reply.id, f"p{reply.task}", response=reply.text))
        )


_programs_ms: list[float] = []
"""The CPU time of every test that our grader ran."""


def _verdict_of(grading: Future[Any]) -> Future[str]:
    verdict: Future[str] = Future()

    def note(done: Future[Any]) -> None:
        grade = done.result()
        _programs_ms.extend(test.cpu_ms for test in grade.tests)
        verdict.set_result(grade.verdict.value)

    grading.add_done_callback(note)
    return verdict


@contextlib.contextmanager
def peer(name: str, options: argparse.Namespace, step: Step) -> Iterator[Submit]:
    """A peer's own function for one reply, called from a pool of processes."""
    global _judge
    with contextlib.ExitStack() as closing:
        if name == "sandbox_fusion":
            url = closing.enter_context(sandbox_fusion(options.sandbox_fusion, options.sandbox_fusion_python))
            _judge = asking(url, options.verl, step)
            pool: Executor = ThreadPoolExecutor(CLIENTS)
        else:
            sys.path.insert(0, str(getattr(options, name)))
            _judge = verl(step, options.verl) if name == "verl" else {"lcb": livecodebench, "rllm": rllm}[name](step)
            pool = ProcessPoolExecutor(WORKERS)
        closing.enter_context(pool)
        yield lambda reply: pool.submit(_ask, reply.task, reply.code, reply.text)


_judge: Callable[[int, str, str], bool]


def _ask(task: int, code: str, text: str) -> str:
    return ACCEPTED if _judge(task, code, text) else REJECTED


def _in_outs(step: Step) -> list[dict[str, list[str]]]:
    return [
        {"inputs": [given for given, _ in task.tests], "outputs": [wanted for _, wanted in task.tests]}
        for task in step.tasks
    ]


def livecodebench(step: Step) -> Callable[[int, str, str], bool]:
    from lcb_runner.evaluation.compute_code_generation_metrics import check_correctness

    samples = [{"input_output": json.dumps(in_outs)} for in_outs in _in_outs(step)]

    def judge(task: int, code: str, text: str) -> bool:
        results, _ = check_correctness(samples[task], code, timeout=round(TIME_LIMIT_S), debug=False)
        return all(result is True for result in results)

    return judge


def verl(step: Step, checkout: Path) -> Callable[[int, str, str], bool]:
    """Its reward `prime_code`. The package pyext, which it needs, does not install on Python 3.11: see `_pyext`."""
    sys.modules.setdefault("pyext", _pyext())
    utils = loaded(_verl_rewards(checkout) / "prime_code").utils
    in_outs = _in_outs(step)

    def judge(task: int, code: str, text: str) -> bool:
        solution = text.split("```python")[-1].split("```")[0]
        results, _ = utils.check_correctness(in_outs[task], solution, timeout=round(TIME_LIMIT_S), debug=False)
        return all(result is True for result in results)

    return judge


def _verl_rewards(checkout: Path) -> Path:
    return checkout / "verl" / "utils" / "reward_score"


def _pyext() -> types.ModuleType:
    """The one function of pyext that verl calls."""

    def from_string(name: str, _: str, source: str) -> types.ModuleType:
        module = types.ModuleType(name)
        exec(source, module.__dict__)
        return module

    made = types.ModuleType("pyext")
    made.RuntimeModule = types.SimpleNamespace(from_string=from_string)  # type: ignore[attr-defined]
    return made


def rllm(step: Step) -> Callable[[int, str, str], bool]:
    from rllm.rewards.code_reward import lcb_check_correctness_v2

    tests = [[{"input": given, "output": wanted} for given, wanted in task.tests] for task in step.tasks]
    return lambda task, code, text: lcb_check_correctness_v2(tests[task], code, timeout=round(TIME_LIMIT_S))[0]


def asking(url: str, checkout: Path, step: Step) -> Callable[[int, str, str], bool]:
    """verl's reward that asks a sandbox service."""
    client = loaded(_verl_rewards(checkout) / "sandbox_fusion")
    in_outs, at_once = _in_outs(step), threading.Semaphore(WORKERS)

    def judge(task: int, code: str, text: str) -> bool:
        asked = (f"{url}/run_code", at_once, MEMORY_LIMIT_MB, text, in_outs[task])
        return bool(client.compute_score(*asked, timeout=round(TIME_LIMIT_S))[0] == 1.0)

    return judge


def replay(step: Step, submit: Submit) -> dict[str, Any]:
    """Submit each reply when it arrives. Returns the latencies of the verdicts, and which verdicts were wrong."""
    ended: dict[str, float] = {}
    verdicts: dict[str, str] = {}
    done = threading.Semaphore(0)
    began = time.monotonic()

    def note(reply: Reply, future: Future[str]) -> None:
        ended[reply.id] = time.monotonic()
        verdicts[reply.id] = "an exception" if future.exception() else future.result()
        done.release()

    submitted: dict[str, float] = {}
    with ThreadPoolExecutor(1) as submitting:  # a submit that blocks delays the next ones, as it would in a trainer
        for reply in step.replies:
            time.sleep(max(0.0, began + reply.at_s - time.monotonic()))
            submitted[reply.id] = time.monotonic()
            submitting.submit(lambda r=reply: submit(r).add_done_callback(lambda f: note(r, f))).result()
    for _ in step.replies:
        done.acquire()
    latencies = sorted(ended[reply.id] - submitted[reply.id] for reply in step.replies)
    wrong = Counter(
        f"{reply.kind} graded {verdicts[reply.id]}"
        for reply in step.replies
        if verdicts[reply.id] not in VERDICTS[reply.kind]
        and not (verdicts[reply.id] == REJECTED and ACCEPTED not in VERDICTS[reply.kind])
    )
    return {
        "tail_s": max(ended.values()) - max(submitted.values()),
        "p50_s": statistics.median(latencies),
        "p99_s": latencies[min(len(latencies) - 1, int(0.99 * len(latencies)))],
        "wall_s": max(ended.values()) - began,
        "wrong": dict(wrong),
    }


def contend(name: str, options: argparse.Namespace) -> None:
    """Replay the step with one contender, and write the measurements to the report."""
    step = step_of(options.problems, options.replies, options.seconds, options.seed)
    contender = ours(name, step) if name in OURS else peer(name, options, step)
    before = own_cpu()
    with contender as submit:
        found = replay(step, submit)
    found |= {"programs_s": sum(_programs_ms) / 1000, "cpu_before_s": before}
    Path(options.report).write_text(json.dumps(found))


class PeakMemory:
    """The peak memory of all new descendants of this process together, as the sum of their proportional set sizes."""

    def __enter__(self) -> PeakMemory:
        self.mb, self._ended = 0.0, threading.Event()
        self._others = set(tree(os.getpid()))
        self._thread = threading.Thread(target=self._look)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._ended.wait(LOOK_S):
            self.mb = max(self.mb, sum(map(_proportional_mb, set(tree(os.getpid())) - self._others)))


def _proportional_mb(pid: int) -> float:
    with contextlib.suppress(OSError, IndexError, ValueError), open(f"/proc/{pid}/smaps_rollup") as file:
        return int(file.read().split("Pss:")[1].split()[0]) / 1024
    return 0.0


@contextlib.contextmanager
def load(count: int) -> Iterator[None]:
    """Other processes that compute all the time."""
    spinning = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for process in spinning:
            process.kill()
            process.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--problems", type=int, default=64)
    parser.add_argument("--replies", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=60.0, help="how long sampling takes")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--load", type=int, default=0, help="other processes that compute")
    for name in PEERS:
        parser.add_argument(f"--{name.replace('_', '-')}", type=Path, help=f"checkout of the peer {name}")
    parser.add_argument("--peers-python", default=sys.executable, help="interpreter that has the peers' packages")
    parser.add_argument("--sandbox-fusion-python", type=Path, help="interpreter that has the packages of its server")
    parser.add_argument("--only", nargs="+", choices=(*OURS, *PEERS))
    parser.add_argument("--json", type=Path, help="write all measurements to this file")
    parser.add_argument("--contend", help=argparse.SUPPRESS)
    parser.add_argument("report", nargs="?", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.sandbox_fusion and not (options.verl and options.sandbox_fusion_python):
        parser.error("--sandbox-fusion needs --verl, whose client asks it, and --sandbox-fusion-python")
    if options.contend:
        contend(options.contend, options)
        return
    names = [name for name in (*OURS, *PEERS) if (name in OURS or getattr(options, name))]
    names = [name for name in names if not options.only or name in options.only]
    rounds: list[dict[str, dict[str, Any]]] = []
    with load(options.load):
        for number in range(options.rounds):
            rounds.append({})
            for name in names:
                python = sys.executable if name in OURS else options.peers_python
                command = [python, __file__, *sys.argv[1:], "--contend", name]
                with PeakMemory() as peak:
                    rounds[-1][name] = measured(command, timeout_s=3600)
                rounds[-1][name]["peak_mb"] = peak.mb
                print(f"round {number + 1}: {name} {json.dumps(rounds[-1][name])}", file=sys.stderr, flush=True)
    step = step_of(options.problems, options.replies, options.seconds, options.seed)
    tests = sum(len(task.tests) for task in step.tasks)
    print(
        f"{options.problems} problems x {options.replies} replies over {options.seconds:g} s, {tests} tests with "
        f"{input_bytes(step) / 1e6:.1f} MB of input, {WORKERS} workers, {options.load} other processes computing; "
        f"median of {options.rounds}\n"
    )
    print(f"{'':12} {'tail s':>8} {'p50 s':>8} {'p99 s':>8} {'CPU s':>8} {'programs':>8} {'peak MB':>8}  wrong")
    for name in names:
        figures = [
            statistics.median(run[name][key] for run in rounds)
            for key in ("tail_s", "p50_s", "p99_s", "cpu_s", "programs_s", "peak_mb")
        ]
        wrong = sum((Counter(run[name]["wrong"]) for run in rounds), Counter())
        tail, p50, p99, cpu, programs, peak_mb = figures
        shown = f"{tail:8.2f} {p50:8.2f} {p99:8.2f} {cpu:8.1f} {programs:8.1f} {peak_mb:8.0f}"
        print(f"{name:12} {shown}  {dict(wrong) or 'none'}")
    print("\n" + json.dumps(machine()))
    if options.json:
        asked = {key: getattr(options, key) for key in ("problems", "replies", "seconds", "seed", "load")}
        options.json.write_text(json.dumps({"machine": machine(), **asked, "rounds": rounds}, indent=1) + "\n")


if __name__ == "__main__":
    main()
