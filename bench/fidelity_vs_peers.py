"""The same labelled programs through this grader and its peers, with and without busy processes: who is wrong, and how.

    python bench/fidelity_vs_peers.py --peers FOLDER [--busy 0 4 16] [--json bench/results/fidelity_vs_peers.json]

FOLDER holds checkouts (bench/README.md says how they are made): `LiveCodeBench`, `verl`, `open-r1`, `Gym`,
`SandboxFusion`, and environments for those that need one. A peer that is not there is listed with the reason, and so is
one that fails to start. Each contender grades all programs, AT_ONCE at a time, in a process of its own, as its users
call it and with its own time limits (5 to 10 s for programs that need at most 2 s of CPU). These are counted:

    right rejected     verdicts against right programs; several: those where the expected answer is not the only one
    wrong accepted     verdicts for wrong programs and cheats
    lost               no verdict, or a failure of the service that its client counts as 0
    left               processes that are still there three seconds after the contender has ended
"""

from __future__ import annotations

import argparse
import ctypes
import importlib.util
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from fidelity_programs import LIMIT_S, Labelled, programs
from measure import machine
from service_process import tree

AT_ONCE = 4
PR_SET_CHILD_SUBREAPER = 36
LONGEST_S = 900
Verdict = tuple[bool | None, float]
"""Accepted, rejected or none; and how long it took."""


def problem_of(one: Labelled, number: int) -> Any:
    from microcoder_eval import Problem

    tests = [{"input": given, "output": wanted} for given, wanted in one.tests]
    checker = {"checker": one.checker} if one.checker else {}
    return Problem.from_dict({"id": str(number), "tests": tests, "time_limit_s": LIMIT_S, **checker})


def through_connect(address: str) -> list[Verdict]:
    from microcoder_eval import Grade, connect

    def one(number: int) -> Verdict:
        started = time.monotonic()
        grade: Grade = grader.grade(problem_of(given[number], number), given[number].reply)
        return None if grade.reward is None else grade.accepted, time.monotonic() - started

    given = programs()
    with connect(address) as grader, ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(one, range(len(given))))


def library(peers: Path, url: str) -> list[Verdict]:
    return through_connect("local")


def service(peers: Path, url: str) -> list[Verdict]:
    return through_connect(url)


def verl_client(peers: Path, url: str) -> list[Verdict]:
    """verl's `compute_score` for a sandbox service; one POST a test. A failed call is a failed test to it."""
    client = loaded(peers / "verl" / "verl" / "utils" / "reward_score" / "sandbox_fusion")

    def one(labelled: Labelled) -> Verdict:
        started = time.monotonic()
        score, details = client.compute_score(f"{url}/run_code", None, 1024, labelled.reply, labelled.in_outs)
        failed = any("error" in str(detail.get("status", "")) for detail in details if isinstance(detail, dict))
        api_failed = failed and any(detail.get("api_request_error") for detail in details)
        return None if api_failed else score == 1.0, time.monotonic() - started

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(one, programs()))


def prime_code(peers: Path, url: str) -> list[Verdict]:
    """verl's `prime_code.compute_score`, in the pool of processes that its reward managers use."""
    return in_processes(_prime, str(peers / "verl" / "verl" / "utils" / "reward_score" / "prime_code"))


def _prime(folder: str, labelled: Labelled) -> bool:
    score = loaded(Path(folder)).compute_score(labelled.reply, labelled.in_outs, continuous=True)[0]  # as verl calls it
    return float(score) == 1.0


def livecodebench(peers: Path, url: str) -> list[Verdict]:
    return in_processes(_livecodebench, str(peers / "LiveCodeBench"))


def _livecodebench(folder: str, labelled: Labelled) -> bool:
    sys.path.insert(0, folder)
    from lcb_runner.evaluation.compute_code_generation_metrics import check_correctness  # type: ignore[import-not-found]

    found, _ = check_correctness({"input_output": json.dumps(labelled.in_outs)}, labelled.code, timeout=6, debug=False)
    return all(one is True or one == 1 for one in found)


def nemo_gym(peers: Path, url: str) -> list[Verdict]:
    """The verifier's `check_correctness` with the limit of its configuration, without the Ray tasks around it."""
    return in_processes(_nemo, str(peers / "Gym" / "resources_servers" / "code_gen"))


def _nemo(folder: str, labelled: Labelled) -> bool:
    sys.path.insert(0, folder)
    from lcb_integration.compute_code_generation_metrics import check_correctness  # type: ignore[import-not-found]

    found, _ = check_correctness({"input_output": json.dumps(labelled.in_outs)}, labelled.code, 10, False)
    return all(one is True or one == 1 for one in found)


def open_r1(peers: Path, url: str) -> list[Verdict]:
    """The script of open-r1's `code_reward`, as it stands in its source, in an interpreter as its sandboxes run it."""
    source = (peers / "open-r1" / "src" / "open_r1" / "rewards.py").read_text(encoding="utf-8")
    body = source.partition('evaluation_script_template = """\n')[2].partition('    """')[0]
    lines = [line.removeprefix("    ") for line in body.replace("\\\\", "\\").splitlines()]
    template = "\n".join(lines).replace("\nevaluate_code(", "\nprint(evaluate_code(").rstrip() + ")"

    def one(labelled: Labelled) -> Verdict:
        started = time.monotonic()
        cases = [{"input": given, "output": wanted} for given, wanted in labelled.tests]
        script = template.format(code=json.dumps(labelled.code), test_cases=json.dumps(json.dumps(cases)))
        ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
        try:  # its providers count a script that fails as 0
            accepted = float(ended.stdout) == 1.0
        except ValueError:
            accepted = False
        return accepted, time.monotonic() - started

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(one, programs()))


def in_processes(grade: Callable[[str, Labelled], bool], folder: str) -> list[Verdict]:
    with ProcessPoolExecutor(AT_ONCE) as pool:
        futures = [pool.submit(_timed, grade, folder, labelled) for labelled in programs()]
        verdicts: list[Verdict] = []
        for future in futures:
            try:
                verdicts.append(future.result())
            except Exception:  # the pool broke, or the peer raised: no verdict
                verdicts.append((None, 0.0))
        return verdicts


def _timed(grade: Callable[[str, Labelled], bool], folder: str, labelled: Labelled) -> Verdict:
    started = time.monotonic()
    accepted = grade(folder, labelled)
    return accepted, time.monotonic() - started


def loaded(folder: Path) -> Any:
    """A package loaded from its folder, without its parent packages."""
    name = f"peer_{folder.name}"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(
            name, folder / "__init__.py", submodule_search_locations=[str(folder)]
        )
        assert spec and spec.loader
        sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]


COLUMNS = {"right_rejected": 14, "several_rejected": 16, "wrong_accepted": 14, "lost": 4, "median_s": 8, "left": 4}
OURS, THEIRS = "ours", "sandbox_fusion"
CONTENDERS: dict[str, tuple[Callable[[Path, str], list[Verdict]], str, str, str]] = {
    # name: what runs, which checkout it needs, which environment of the folder ("": this one), which server
    "ours: library": (library, "", "", ""),
    "ours: service": (service, "", "", OURS),
    "ours: service, verl's client": (verl_client, "verl", "", OURS),
    "SandboxFusion, verl's client": (verl_client, "SandboxFusion", "", THEIRS),
    "verl prime_code": (prime_code, "verl", "env-prime", ""),
    "open-r1": (open_r1, "open-r1", "", ""),
    "LiveCodeBench": (livecodebench, "LiveCodeBench", "", ""),
    "NeMo Gym code_gen": (nemo_gym, "Gym", "", ""),
}


@contextmanager
def server(kind: str, peers: Path, log: Path) -> Iterator[str]:
    """The address of a server that was started for one contender."""
    if kind == OURS:
        from service_process import service as own

        with own("--workers", str(os.cpu_count() or 1)) as running:
            yield running.url
    elif kind == THEIRS:
        python = peers / "env-sandbox-fusion" / "bin" / "python"
        command = [
            str(python),
            "-m",
            "uvicorn",
            "sandbox.server.server:app",
            "--port",
            "18090",
            "--log-level",
            "warning",
        ]
        with log.open("w") as errors:
            process = subprocess.Popen(command, cwd=peers / "SandboxFusion", stdout=errors, stderr=errors)
        try:
            wait_for_port(18090, process)
            yield "http://127.0.0.1:18090"
        finally:
            process.terminate()
            process.wait(60)
    else:
        yield ""


def wait_for_port(port: int, process: subprocess.Popen[bytes]) -> None:
    import socket

    deadline = time.monotonic() + 120
    while process.poll() is None and time.monotonic() < deadline:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=5):
            return
        time.sleep(0.2)
    raise RuntimeError("the server did not start")


@contextmanager
def busy(count: int) -> Iterator[None]:
    spinning = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for process in spinning:
            process.kill()
            process.wait()


def measured(name: str, peers: Path, log: Path) -> dict[str, Any]:
    """Counts of a contender's verdicts and of the processes that it leaves; or why it is missing."""
    _, checkout, environment, kind = CONTENDERS[name]
    if checkout and not (peers / checkout).is_dir():
        return {"missing": f"no checkout {checkout}"}
    python = str(peers / environment / "bin" / "python") if environment else sys.executable
    if not Path(python).exists():
        return {"missing": f"no environment {environment}"}
    known = set(tree(os.getpid()))
    load = os.getloadavg()[0]
    try:
        with server(kind, peers, log) as url:
            command = [python, __file__, "--peers", str(peers), "--contender", name, "--url", url]
            paths = f"{Path(python).parent}:{os.environ['PATH']}"
            process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, "PATH": paths}
            )
            try:
                output, errors = process.communicate(timeout=LONGEST_S)
            except subprocess.TimeoutExpired:
                return {"missing": f"not finished after {LONGEST_S} s"}
    except RuntimeError as error:
        return {"missing": f"{error}: {log.read_text()[-300:]}"}
    finally:
        time.sleep(3)
        left = left_behind(known)
        for pid in left:
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
    lines = output.decode().strip().splitlines()
    try:
        verdicts: list[Verdict] = [tuple(pair) for pair in json.loads(lines[-1])]  # type: ignore[misc]
    except (ValueError, IndexError):
        return {"missing": f"it failed: {errors.decode()[-300:]}"}
    return {**counted(verdicts), "left": len(left), "load": round(load, 1)}


def counted(verdicts: list[Verdict]) -> dict[str, Any]:
    found: Counter[str] = Counter()
    took: list[float] = []
    wrong: list[str] = []
    for labelled, (accepted, seconds) in zip(programs(), verdicts, strict=True):
        if labelled.accept is None:
            continue
        if labelled.kind != "slow":
            took.append(seconds)
        if accepted is None:
            found["lost"] += 1
        elif accepted is not labelled.accept:
            found[f"{labelled.kind} {'accepted' if accepted else 'rejected'}"] += 1
            wrong.append(labelled.kind)
    return {
        "right_rejected": found["right rejected"] + found["slow rejected"],
        "several_rejected": found["several rejected"],
        "wrong_accepted": found["wrong accepted"] + found["cheat accepted"],
        "lost": found["lost"],
        "by_kind": dict(sorted(found.items())),
        "median_s": round(sorted(took)[len(took) // 2], 2),
    }


def adopt_orphans() -> None:
    """Processes whose parents have died become this process's children, however far down they were started."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def left_behind(known: set[int]) -> list[int]:
    """The living descendants that are not in `known`. Dead children are reaped."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    return [pid for pid in tree(os.getpid()) if pid not in known]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", type=Path, default=Path("peers"))
    parser.add_argument("--busy", type=int, nargs="+", default=[0, 4, 16])
    parser.add_argument("--only", nargs="+", help="names of contenders, or parts of them")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--contender", help=argparse.SUPPRESS)
    parser.add_argument("--url", default="", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.contender:
        verdicts = CONTENDERS[arguments.contender][0](arguments.peers.resolve(), arguments.url)
        print("\n" + json.dumps(verdicts), flush=True)
        return
    adopt_orphans()
    counts = Counter(one.kind for one in programs())
    report: dict[str, Any] = {"machine": machine(), "programs": dict(counts), "at_once": AT_ONCE, "results": []}
    print(f"{'busy':>4}  {'contender':30} right rejected  several rejected  wrong accepted  lost  median s  left")
    for count in arguments.busy:
        for name in CONTENDERS:
            if arguments.only and not any(part in name for part in arguments.only):
                continue
            with busy(count), tempfile.NamedTemporaryFile() as log:
                found = measured(name, arguments.peers.resolve(), Path(log.name))
            report["results"].append({"busy": count, "contender": name, **found})
            if "missing" in found:
                print(f"{count:4}  {name:30} {found['missing']}")
            else:
                row = (
                    "{right_rejected:14}  {several_rejected:16}  {wrong_accepted:14}  {lost:4}  {median_s:8}  {left:4}"
                )
                print(f"{count:4}  {name:30} {row.format(**found)}   {found['by_kind']}", flush=True)
            if arguments.json:
                arguments.json.write_text(json.dumps(report, indent=1) + "\n")
    ours = [
        one for one in report["results"] if one["contender"].startswith("ours: ") and "client" not in one["contender"]
    ]
    good = all(not one.get("right_rejected", 1) and not one["wrong_accepted"] and not one["lost"] for one in ours)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
