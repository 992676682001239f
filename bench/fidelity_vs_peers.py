"""The same labelled programs through this grader and its peers, with and without busy processes: who is wrong, and how.

    python bench/fidelity_vs_peers.py --peers FOLDER [--busy 0 4 16] [--json bench/results/fidelity_vs_peers.json]

FOLDER holds checkouts (bench/README.md says how they are made): `LiveCodeBench`, `verl`, `open-r1`, `Gym`,
`SandboxFusion`, and environments for those that need one. A peer that is not there is listed with the reason, and so is
one that fails to start. Each contender grades all programs as its users call it and with its own time limits (5 to 10 s
for programs that need at most 2 s of CPU). It runs in a PID namespace of its own (`unshare`, as root or with user
namespaces), because some programs kill what they find. These are counted:

    right rejected     verdicts against right programs; several: those where the expected answer is not the only one
    wrong accepted     verdicts for wrong programs and cheats
    lost               no verdict, or a failure of the service that its client counts as 0
    left               processes that are still there three seconds after the contender has ended
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from fidelity_contenders import AT_ONCE, CONTENDERS, OURS, Verdict
from fidelity_programs import programs
from measure import machine
from sandbox_fusion_server import sandbox_fusion
from service_process import service

LONGEST_S = 600
ROW = "{right_rejected:14}  {several_rejected:16}  {wrong_accepted:14}  {lost:4}  {median_s:8}  {left:4}   {by_kind}"
NAMESPACE = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"]


def measured(name: str, peers: Path) -> dict[str, Any]:
    """Counts of a contender's verdicts and of the processes that it leaves; or why it is missing."""
    contender = CONTENDERS[name]
    if contender.checkout and not (peers / contender.checkout).is_dir():
        return {"missing": f"no checkout {contender.checkout}"}
    if not interpreter(name, peers).exists():
        return {"missing": f"no environment {contender.environment}"}
    load = os.getloadavg()[0]
    as_root = [] if os.geteuid() == 0 else ["--map-root-user"]
    command = [*NAMESPACE, *as_root, sys.executable, __file__, "--peers", str(peers), "--contender", name]
    try:
        ended = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST_S, check=False)
    except subprocess.TimeoutExpired:
        return {"missing": f"not finished after {LONGEST_S} s"}
    try:
        verdicts, left = json.loads(ended.stdout)
    except ValueError:
        return {"missing": f"it failed: {ended.stderr[-300:]}"}
    return {**counted(verdicts), "left": left, "load": round(load, 1)}


def alone(name: str, peers: Path) -> None:
    """Run one contender, as the first process of its namespace. Prints its verdicts and how many are left."""
    python = interpreter(name, peers)
    with server(CONTENDERS[name].server, peers) as url:
        ended = subprocess.run(
            [python, Path(__file__).with_name("fidelity_contenders.py"), peers, name, url],
            capture_output=True,
            text=True,
            env={**os.environ, "PATH": f"{python.parent}:{os.environ['PATH']}"},
            check=False,
        )
    time.sleep(3)
    try:
        verdicts = json.loads(ended.stdout.strip().rpartition("\n")[2])
    except ValueError:
        sys.exit(ended.stderr)
    print(json.dumps([verdicts, left_behind()]))


def interpreter(name: str, peers: Path) -> Path:
    environment = CONTENDERS[name].environment
    return peers / environment / "bin" / "python" if environment else Path(sys.executable)


@contextmanager
def server(kind: str, peers: Path) -> Iterator[str]:
    """The address of a server that was started for one contender; empty when it asks none."""
    if not kind:
        yield ""
    elif kind == OURS:
        with service("--workers", str(os.cpu_count() or 1)) as own:
            yield own.url
    else:
        with sandbox_fusion(peers / "SandboxFusion", peers / "env-sandbox-fusion" / "bin" / "python") as address:
            yield address


def left_behind() -> int:
    """How many processes live in this namespace besides its first one, which reaps the orphans."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    return sum(name.isdigit() for name in os.listdir("/proc")) - 1


@contextmanager
def busy(count: int) -> Iterator[None]:
    spinning = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for process in spinning:
            process.kill()
            process.wait()


def counted(verdicts: list[Verdict]) -> dict[str, Any]:
    found: Counter[str] = Counter()
    took: list[float] = []
    for labelled, (accepted, seconds) in zip(programs(), verdicts, strict=True):
        if labelled.accept is None:
            continue
        if labelled.kind != "slow":
            took.append(seconds)
        if accepted is None:
            found["lost"] += 1
        elif accepted is not labelled.accept:
            found[f"{labelled.kind} {'accepted' if accepted else 'rejected'}"] += 1
    return {
        "right_rejected": found["right rejected"] + found["slow rejected"],
        "several_rejected": found["several rejected"],
        "wrong_accepted": found["wrong accepted"] + found["cheat accepted"],
        "lost": found["lost"],
        "by_kind": dict(sorted(found.items())),
        "median_s": round(sorted(took)[len(took) // 2], 2),
    }


def is_right(name: str, found: dict[str, Any]) -> bool:
    """Whether nothing speaks against a contender. Only ours must be right, and not what verl's client makes of ours."""
    if not name.startswith("ours: ") or "client" in name:
        return True
    return not any(found.get(column, 1) for column in ("right_rejected", "wrong_accepted", "lost"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", type=Path, default=Path("peers"))
    parser.add_argument("--busy", type=int, nargs="+", default=[0, 4, 16])
    parser.add_argument("--only", nargs="+", default=[""], help="names of contenders, or parts of them")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--contender", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    peers = arguments.peers.resolve()
    if arguments.contender:
        alone(arguments.contender, peers)
        return
    counts = Counter(one.kind for one in programs())
    report: dict[str, Any] = {"machine": machine(), "programs": dict(counts), "at_once": AT_ONCE, "results": []}
    all_right = True
    print(f"{'busy':>4}  {'contender':30} right rejected  several rejected  wrong accepted  lost  median s  left")
    for count in arguments.busy:
        for name in CONTENDERS:
            if not any(part in name for part in arguments.only):
                continue
            with busy(count):
                found = measured(name, peers)
            report["results"].append({"busy": count, "contender": name, **found})
            all_right &= is_right(name, found)
            print(f"{count:4}  {name:30} {found.get('missing') or ROW.format(**found)}", flush=True)
            if arguments.json:
                arguments.json.write_text(json.dumps(report, indent=1) + "\n")
    sys.exit(0 if all_right else 1)


if __name__ == "__main__":
    main()
