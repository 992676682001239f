"""The contenders of `fidelity_vs_peers.py`: each grades the labelled programs as its users call it, AT_ONCE at a time.

    python bench/fidelity_contenders.py PEERS NAME [URL]       # in the contender's environment, when it has one

The last line of the output is the list of verdicts as JSON. No server is started here.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from fidelity_programs import LIMIT_S, Labelled, programs

AT_ONCE = 4
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


OURS, THEIRS = "ours", "sandbox_fusion"


class Contender(NamedTuple):
    grade: Callable[[Path, str], list[Verdict]]
    checkout: str = ""
    """The checkout that it needs; empty for none."""
    environment: str = ""
    """The environment in the folder of the peers that it runs in; empty for this one."""
    server: str = ""
    """The server that it asks; empty for none."""


CONTENDERS = {
    "ours: library": Contender(library),
    "ours: service": Contender(service, server=OURS),
    "ours: service, verl's client": Contender(verl_client, "verl", server=OURS),
    "SandboxFusion, verl's client": Contender(verl_client, "SandboxFusion", server=THEIRS),
    "verl prime_code": Contender(prime_code, "verl", "env-prime"),
    "open-r1": Contender(open_r1, "open-r1"),
    "LiveCodeBench": Contender(livecodebench, "LiveCodeBench"),
    "NeMo Gym code_gen": Contender(nemo_gym, "Gym"),
}


if __name__ == "__main__":
    folder, name, *address = sys.argv[1:]
    verdicts = CONTENDERS[name].grade(Path(folder), "".join(address))
    print("\n" + json.dumps(verdicts), flush=True)
