"""Grading side by side with LiveCodeBench and DeepCoder/rLLM: tests a second and CPU a program, 2 workers each.

    python bench/eval_vs_peers.py --lcb PATH --rllm PATH --peers-python VENV/bin/python [--rounds 5] [--json FILE]

PATHs are checkouts; their few packages are installed in a virtual environment of their own (see README.md here).
Contenders run one after another in processes of their own, round by round, and are compared round by round; medians
are printed. All programs are right, so that every contender has the same work: 200 programs x 15 tests. What the
contender's own process imports is left out. Our supervisors and sandboxes are other processes, so that their start and
imports count; the peers' workers are forks of a process that has imported everything. Then our grader
alone runs the mix with wrong, endless and crashing programs. Its time is compared with the time that the endless
programs take when each uses up its CPU limit: two processes that do so, timed right before and right after. Every
second one is certain to be endless and is ended early, so the ratio can be below 1; the others need their limit.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import workload
from measure import machine, measured, own_cpu

WORKERS = 2
TIME_LIMIT_S = 2.0
PEER_TIMEOUT_S = 6
Programs = list[workload.Program]

BARS = (
    ("test", "lcb", "tests a second", 2.5, "at least"),
    ("test", "lcb", "CPU a program", 0.55, "at most"),
    ("test", "rllm", "tests a second", 10.0, "at least"),
    ("submission", "lcb", "tests a second", 6.0, "at least"),
)
MIX_BAR = 1.2


def ours(isolation: str) -> Callable[[Programs], list[str]]:
    from microcoder_eval import Grader, Problem, Submission

    def graded(programs: Programs) -> list[str]:
        def pairs() -> Any:
            for index, program in enumerate(programs):
                tests = [{"input": given, "output": wanted} for given, wanted in program.tests]
                record = {"id": str(index), "tests": tests, "time_limit_s": TIME_LIMIT_S}
                yield Problem.from_dict(record), Submission(str(index), str(index), code=program.code)

        verdicts = [""] * len(programs)
        with Grader(workers=WORKERS, isolation=isolation, policy="contest") as grader:
            for grade in grader.grade_many(pairs()):
                verdicts[int(grade.submission_id)] = grade.verdict.value
        return verdicts

    return graded


def livecodebench(checkout: str) -> Callable[[Programs], list[str]]:
    sys.path.insert(0, checkout)
    from lcb_runner.evaluation.compute_code_generation_metrics import codegen_metrics

    def graded(programs: Programs) -> list[str]:
        samples = []
        for program in programs:
            inputs, outputs = zip(*program.tests, strict=True)
            samples.append({"input_output": json.dumps({"inputs": inputs, "outputs": outputs})})
        codes = [[program.code] for program in programs]
        _, results, _ = codegen_metrics(
            samples, codes, k_list=[1], num_process_evaluate=WORKERS, timeout=PEER_TIMEOUT_S
        )
        passed = [results[index][0] for index in range(len(programs))]
        return [_verdict(all(test is True for test in tests)) for tests in passed]

    return graded


def rllm(checkout: str) -> Callable[[Programs], list[str]]:
    sys.path.insert(0, checkout)
    from rllm.rewards.code_reward import lcb_check_correctness_v2  # what its reward does for programs that read stdin

    def graded(programs: Programs) -> list[str]:
        tests = [[{"input": given, "output": wanted} for given, wanted in program.tests] for program in programs]
        codes = [program.code for program in programs]
        with ProcessPoolExecutor(WORKERS) as pool:
            return [_verdict(right) for right, _ in pool.map(lcb_check_correctness_v2, tests, codes)]

    return graded


def endless(count: int) -> None:
    """Use the time that endless programs take when each runs to its CPU limit, two at a time."""

    def use_up_limit() -> None:
        while time.process_time() < TIME_LIMIT_S:
            pass
        os._exit(0)

    waiting = count
    running = 0
    while waiting or running:
        if waiting and running < WORKERS:
            if os.fork() == 0:
                use_up_limit()
            waiting, running = waiting - 1, running + 1
        else:
            os.wait()
            running -= 1


def contend(name: str, checkout: str, count: int, report: str) -> None:
    """Grade the programs as one contender. Write the time, and whether the verdicts were right, to `report`."""
    programs = workload.mixed(count) if name in ("mix", "endless") else workload.right(count)
    if name == "endless":
        count = sum(program.verdict == "TIME_LIMIT" for program in programs)
        counting = sum(program.code.startswith(workload.COUNTING) for program in programs)
        before, start = own_cpu(), time.perf_counter()
        endless(count)
        result = {"endless": count, "counting": counting}
    else:
        graded = {
            "lcb": lambda: livecodebench(checkout),
            "rllm": lambda: rllm(checkout),
        }.get(name, lambda: ours("test" if name == "mix" else name))()
        before, start = own_cpu(), time.perf_counter()
        verdicts = graded(programs)
        wrong = Counter(
            f"{program.verdict} graded {verdict}"
            for program, verdict in zip(programs, verdicts, strict=True)
            if verdict != program.verdict
        )
        result = {"right": len(programs) - sum(wrong.values()), "wrong": dict(wrong)}
    times = {"wall_s": time.perf_counter() - start, "cpu_before_s": before}
    Path(report).write_text(json.dumps({**result, **times}))


def _verdict(right: bool) -> str:
    return "ACCEPTED" if right else "REJECTED"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lcb", type=Path, help="checkout of LiveCodeBench/LiveCodeBench")
    parser.add_argument("--rllm", type=Path, help="checkout of rllm-org/rllm")
    parser.add_argument("--peers-python", default=sys.executable, help="interpreter that has the peers' packages")
    parser.add_argument("--programs", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--no-mix", action="store_true", help="leave out the mix with endless programs")
    parser.add_argument("--json", type=Path, help="write all measurements to this file")
    parser.add_argument("--contend", help=argparse.SUPPRESS)
    parser.add_argument("--checkout", default="", help=argparse.SUPPRESS)
    parser.add_argument("report", nargs="?", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.contend:
        contend(options.contend, options.checkout, options.programs, options.report)
        return

    def command(name: str, python: str = sys.executable, checkout: Path | None = None) -> list[str]:
        own = [python, __file__, "--contend", name, "--programs", str(options.programs)]
        return [*own, "--checkout", str(checkout or "")]

    contenders = {"test": command("test"), "submission": command("submission")}
    if options.lcb:
        contenders["lcb"] = command("lcb", options.peers_python, options.lcb)
    if options.rllm:
        contenders["rllm"] = command("rllm", options.peers_python, options.rllm)
    rounds = []
    for number in range(options.rounds):
        rounds.append({name: measured(contender) for name, contender in contenders.items()})
        print(f"round {number + 1} of {options.rounds}", file=sys.stderr)
    figures = [{name: _figures(run, options.programs) for name, run in runs.items()} for runs in rounds]
    print(
        f"{options.programs} programs x {workload.TESTS} tests, {WORKERS} workers, median of {options.rounds} rounds\n"
    )
    _print_table(figures)
    _print_bars(figures)
    mix = None if options.no_mix else [measured(command(name)) for name in ("endless", "mix", "endless")]
    if mix:
        _print_mix(mix, options.programs)
    print("\n" + json.dumps(machine()))
    if options.json:
        result = {"machine": machine(), "programs": options.programs, "tests": workload.TESTS, "workers": WORKERS}
        options.json.write_text(json.dumps({**result, "rounds": rounds, "mix": mix}, indent=1) + "\n")


def _figures(run: dict[str, Any], programs: int) -> dict[str, float]:
    return {
        "tests a second": programs * workload.TESTS / run["wall_s"],
        "CPU a program": run["cpu_s"] / programs * 1000,
        "right": run["right"],
    }


def _print_table(figures: list[dict[str, dict[str, float]]]) -> None:
    print(f"{'':16} {'tests/s':>5} {'CPU ms a program':>17} {'accepted':>9}")
    for name in figures[0]:
        speed, cpu, right = (
            statistics.median(runs[name][figure] for runs in figures)
            for figure in ("tests a second", "CPU a program", "right")
        )
        label = f"ours, {name}" if name in ("test", "submission") else name
        print(f"{label:16} {speed:5.0f} {cpu:17.1f} {right:9.0f}")


def _print_mix(runs: list[dict[str, Any]], programs: int) -> None:
    before, mix, after = runs
    all_s = (before["wall_s"] + after["wall_s"]) / 2
    counting = before["counting"] / before["endless"]
    print(
        f"\n30 % wrong, 10 % endless, 10 % crashing: {mix['wall_s']:.1f} s, {mix['right']}/{programs} verdicts right;"
        f"\nthe endless at their limits, before and after: {before['wall_s']:.1f} and {after['wall_s']:.1f} s;"
        f" ratio {mix['wall_s'] / all_s:.2f} (bar: at most {MIX_BAR});"
        f"\nto the {before['counting']} of {before['endless']} that count, and so are not ended early:"
        f" {mix['wall_s'] / (all_s * counting):.2f}"
    )


def _print_bars(figures: list[dict[str, dict[str, float]]]) -> None:
    print()
    for mine, peer, figure, bar, sense in BARS:
        if peer not in figures[0]:
            continue
        ratio = statistics.median(runs[mine][figure] / runs[peer][figure] for runs in figures)
        met = ratio >= bar if sense == "at least" else ratio <= bar
        print(f"{'met ' if met else 'MISSED'} {figure}, {mine}: {ratio:5.2f} x {peer} (bar: {sense} {bar})")


if __name__ == "__main__":
    main()
