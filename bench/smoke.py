"""Each benchmark in its smallest size, to see that it still runs; the figures at these sizes mean nothing.

    python bench/smoke.py [--short] [NAME ...]

A benchmark that needs something missing (a peer's checkout, a GPU) is skipped with the reason. `--short` leaves out
those that run little more than another one or a test does. The exit status is 1 when a benchmark fails, or when one is
missing from the table below.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from microcoder_data.sources.leetcode_prelude import test_prelude

HERE = Path(__file__).parent
PARTS = {
    *("measure", "workload", "random_model", "service_process", "smoke", "soak_problems", "step_workload"),
    *("fidelity_compare", "fidelity_contenders", "fidelity_doocs", "fidelity_text", "fidelity_programs"),
    *(
        "test_making_packages",
        "test_making_calls",
        "input_validators",
        "screenshots",
        "turns_world",
        "sandbox_fusion_server",
    ),
}
"""Files that are not benchmarks but parts of them."""
LONGEST_S = 600
TINY = (
    *("tiny.cache=worlds", "tiny.hidden=32", "tiny.layers=1", "tiny.warmup_steps=2"),
    *("tiny.train_tasks=32", "tiny.warmup_tasks=32", "tiny.test_tasks=8"),
    *("rollout.max_tokens=8", "evaluate.samples=1", "log.live=false"),
)


@dataclass(frozen=True)
class Smoke:
    """How to call a benchmark, and what it needs ("" when nothing).

    `{package}` is a folder with a contest package, `{functions}` a file with records of functions.
    """

    words: str = ""
    needs: str = ""
    then: tuple[str, ...] = ()
    """The words of further calls."""
    like: str = ""
    """The benchmark or the tests that run nearly the same code."""


BENCHMARKS = {
    "asking_cost": Smoke("--questions 50"),
    "big_tests": Smoke("--mb 1 --tests 50 --rounds 1"),
    "cluster_nodes": Smoke(
        "--gradings 40 --scale 20 --most-nodes 2",
        "" if find_spec("ray") else "the extra ray",
        like="tests/eval/connection/cluster",
    ),
    "compare_checkouts": Smoke(f"{HERE.resolve().parent} {HERE.resolve().parent} --only idioms", like="eval_floor"),
    "cpu_by_process": Smoke("--programs 5 --rounds 1", like="eval_floor"),
    "dedup_vs_peers": Smoke("--rows 300 --out out.json"),
    "deny_under_load": Smoke("--load 0", like="tests/eval/attacks/test_deny.py"),
    "difficulty_weights": Smoke(needs="a file of rated problems"),
    "engines_same_reward": Smoke(needs="an environment with vLLM, and minutes"),
    "eval_cache": Smoke("--programs 10 --rounds 1"),
    "eval_compiled": Smoke("--tests 20 --rounds 1", "" if shutil.which("g++") else "g++"),
    "eval_floor": Smoke("--programs 10 --rounds 1"),
    "eval_soak": Smoke("--gradings 60 --mixed-gradings 60 --kill-gradings 10"),
    "eval_vs_peers": Smoke("--programs 10 --rounds 1 --no-mix"),
    "evalplus_agreement": Smoke(needs="HumanEval+ and an interpreter with evalplus"),
    "export_readers": Smoke(needs="a built dataset and checkouts of verl and LiveCodeBench"),
    "fidelity": Smoke(needs="the publishers' rows that its labels name"),
    "fidelity_vs_peers": Smoke(needs="checkouts of the peers, and minutes"),
    "fuzz_ladder": Smoke("--cases 500"),
    "fuzz_trusted": Smoke("--cases 100"),
    "gpu_figures": Smoke("--tiny"),
    "gpu_profile": Smoke(needs="a GPU"),
    "gpu_update": Smoke("--tiny", like="gpu_figures"),
    "intact_rows": Smoke(needs="a built dataset and its raw rows"),
    "jury_agreement": Smoke("{package}"),
    "lab_on_model": Smoke(f"{HERE.resolve().parent}/pipelines/train/base.yaml --claims K1 --plan"),
    "large_problems": Smoke("--mb 1 --tests 50"),
    "language_letters": Smoke(needs="lists of words"),
    "livecodebench_agreement": Smoke(needs="LiveCodeBench's data and a checkout of it"),
    "loss_vs_peers": Smoke(needs="checkouts of verl, OpenRLHF and TRL"),
    "recorded_model": Smoke("--only strip-folding"),
    "made_programs": Smoke(needs="minutes: programs that never end"),
    "merges_by_key": Smoke(needs="a built dataset and its raw rows"),
    "pipeline_kill": Smoke("--kills 1 --rows 60"),
    "compare_at_scale": Smoke("--rows 2000 --out out.json"),
    "incremental_build": Smoke("--rows 200 --out out.json"),
    "pipeline_throughput": Smoke("--rows 200 --out out.json"),
    "plan_vs_measured": Smoke("--cases padded --smoke --out out.json", like="tests/rl/plan"),
    "report_speed": Smoke("--submissions 200", "" if shutil.which("chromium") else "Chromium"),
    "scheduler_cost": Smoke("--programs 40 --rounds 1"),
    "serve_overhead": Smoke("--programs 10 --rounds 1 --idle 15", "" if find_spec("uvicorn") else "the extra serve"),
    "serve_soak": Smoke("--gradings 60 --kills 1 --clients 8", "" if find_spec("uvicorn") else "the extra serve"),
    "source_findings": Smoke(needs="a built dataset of several sources"),
    "slow_programs": Smoke("--programs 16 --workers 2"),
    "apps_and_code_contests": Smoke(needs="checkouts of MapCoder and CodeT"),
    "taco_test_split": Smoke(needs="a checkout of FlagOpen/TACO"),
    "step_load": Smoke("--problems 2 --replies 2 --seconds 1 --rounds 1 --load 1 --only library"),
    "switches": Smoke("--rounds 1 --only same"),
    "tests_order": Smoke("--problems 2 --rounds 1"),
    "test_making": Smoke(
        "--only strip-folding torus-fence", then=("--packages {package}", "--functions leetcode_dataset {functions}")
    ),
    "hostile_answers": Smoke(needs="minutes: programs that loop, fork and eat memory"),
    "vllm_contract": Smoke(needs="a wheel of vLLM"),
    "real_model": Smoke(needs="a real model, and hours: make real"),
    "related_table": Smoke(f"--seeds 1 --steps 1 --only rloo --out related {' '.join(TINY)}", like="turns"),
    "staleness": Smoke(needs="an environment with vLLM, and minutes"),
    "tiny_table": Smoke(f"--algorithms dapo --seeds 1 --steps 1 --out table {' '.join(TINY)}", like="turns"),
    "train_soak": Smoke(needs="minutes: make test-slow runs it"),
    "train_vs_trl": Smoke(
        "--steps 1 --rounds 1 --prompts 4 --max-tokens 8",
        "" if find_spec("trl") else "trl",
        like="tests/integrations/test_trl.py",
    ),
    "stored_samples": Smoke(f"--only clipped --seeds 1 --steps 1 --out stored {' '.join(TINY)}", like="turns"),
    "turns": Smoke(f"--seeds 1 --steps 1 --out turns {' '.join(TINY)}"),
}


def main() -> None:
    names, short = [word for word in sys.argv[1:] if word != "--short"], "--short" in sys.argv
    ended = [run(name, short) for name in names or sorted({file.stem for file in HERE.glob("*.py")} - PARTS)]
    sys.exit(0 if all(ended) else 1)


def run(name: str, short: bool = False) -> bool:
    """Run a benchmark in a folder of its own, or print why it is skipped. Returns False when it failed."""
    if name not in BENCHMARKS:
        print(f"FAILED   {name}: has no line in {Path(__file__).name}")
        return False
    smoke = BENCHMARKS[name]
    if smoke.needs:
        print(f"skipped  {name}: needs {smoke.needs}", flush=True)
        return True
    if short and smoke.like:
        print(f"skipped  {name}: --short, and {smoke.like} is nearly the same", flush=True)
        return True
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        all_words = "".join([smoke.words, *smoke.then])
        package = write_package(Path(folder) / "package") if "{package}" in all_words else ""
        functions = write_functions(Path(folder) / "functions.jsonl") if "{functions}" in all_words else ""
        program = [sys.executable, str(HERE.resolve() / f"{name}.py")]
        calls = [
            shlex.join([*program, *words.format(package=package, functions=functions).split()])
            for words in (smoke.words, *smoke.then)
        ]
        command = ["sh", "-c", " && ".join(calls)]
        with open(Path(folder) / "output", "w+") as output:
            process = subprocess.Popen(command, cwd=folder, stdout=output, stderr=output, start_new_session=True)
            try:
                process.wait(LONGEST_S)
            except subprocess.TimeoutExpired:
                print(f"not finished after {LONGEST_S} s: ", end="")
            finally:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)  # with all processes that it has started
                failed = process.wait() != 0
            print(f"{'FAILED ' if failed else 'ran    '}  {name}: {time.monotonic() - began:.0f} s", flush=True)
            if failed:
                output.seek(0)
                print(output.read()[-2000:])
    return not failed


PACKAGE = {
    "problem.yaml": "name: Sum\nlimits:\n  time_limit: 2\n",
    "problem_statement/problem.en.tex": r"""\problemname{Sum}
What is the sum of two numbers?
\section*{Input}
The only line contains two integers $a$ and $b$ ($1 \le a, b \le 10^6$).
\section*{Output}
Print the sum of $a$ and $b$.
""",
    "data/sample/1.in": "1 2\n",
    "data/sample/1.ans": "3\n",
    "data/secret/1.in": "1 1\n",
    "data/secret/1.ans": "2\n",
    "data/secret/2.in": "1000000 1\n",
    "data/secret/2.ans": "1000001\n",
    "input_validators/check.py": "a, b = map(int, input().split())\nraise SystemExit(42 if 1 <= a <= 10**6 else 43)\n",
    "submissions/accepted/one.py": "a, b = map(int, input().split())\nprint(a + b)\n",
    "submissions/accepted/other.py": "print(sum(map(int, input().split())))\n",
    "submissions/wrong_answer/small.py": "a, b = map(int, input().split())\nprint(min(a + b, 10**6))\n",
}


def write_package(folder: Path) -> Path:
    """A contest package of the smallest size."""
    for name, text in PACKAGE.items():
        file = folder / "sum" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return folder


_STATEMENT = """{task}

Example 1:

Input: {given}
Output: {wanted}

Constraints:

{bounds}
"""
FUNCTIONS = [
    {
        "task_id": "a-sum",
        "problem_description": _STATEMENT.format(
            task="Return the sum of nums.", given="nums = [1,2]", wanted="3",
            bounds="1 <= nums.length <= 50\n-9 <= nums[i] <= 9",
        ),
        "starter_code": "class Solution:\n    def total(self, nums: List[int]) -> int:\n        ",
        "entry_point": "Solution().total",
        "prompt": "from typing import *",
        "completion": "class Solution:\n    def total(self, nums: List[int]) -> int:\n        return sum(nums)",
        "test": "def check(candidate):\n    assert candidate(nums = [1, 2]) == 3\n"
        "    assert candidate(nums = [-9, 9, 1]) == 1",
    },
    {
        "task_id": "a-depth",
        "problem_description": _STATEMENT.format(
            task="Return the number of nodes of the tree root.", given="root = [1,null,2]", wanted="2",
            bounds="The number of nodes in the tree is in the range [0, 20].\n0 <= Node.val <= 9",
        ),
        "starter_code": "class Solution:\n    def nodes(self, root: Optional[TreeNode]) -> int:\n        ",
        "entry_point": "Solution().nodes",
        "prompt": test_prelude({"TreeNode"}),
        "completion": "class Solution:\n    def nodes(self, root: Optional[TreeNode]) -> int:\n"
        "        return 1 + self.nodes(root.left) + self.nodes(root.right) if root else 0",
        "test": "def check(candidate):\n    assert candidate(root = tree_node([1, None, 2])) == 2\n"
        "    assert candidate(root = tree_node([])) == 0",
    },
]  # fmt: skip


def write_functions(path: Path) -> Path:
    """A file with a function on a list and one on a tree, in the form of LeetCodeDataset."""
    path.write_text("".join(f"{json.dumps(record)}\n" for record in FUNCTIONS))
    return path


if __name__ == "__main__":
    main()
