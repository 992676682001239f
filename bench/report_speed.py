"""How fast a report of many submissions opens and searches in headless Chromium. Nothing passes or fails.

    python bench/report_speed.py [--submissions 10000] [--keep DIRECTORY]

Needs `pip install playwright` and a Chromium. The run is generated: realistic sizes, random verdicts.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import sys
import tempfile
import time
from pathlib import Path

from microcoder_eval.report.run_report import write_run_report
from microcoder_eval.verdict import Grade, TestResult, Verdict

VERDICTS = {
    Verdict.ACCEPTED: 55,
    Verdict.WRONG_ANSWER: 25,
    Verdict.TIME_LIMIT: 8,
    Verdict.RUNTIME_ERROR: 7,
    Verdict.NO_CODE: 3,
    Verdict.MEMORY_LIMIT: 1,
    Verdict.JUDGE_ERROR: 1,
}
RUNGS = {"exact": 80, "tokens": 12, "numbers": 5, "lines": 2, "unordered": 1}
TESTS = 15


def make_run(directory: Path, submissions: int, seed: int = 0) -> Path:
    """A run directory with generated grades: four samples for each problem, programs of 20 to 60 lines."""
    chance = random.Random(seed)
    directory.mkdir(parents=True, exist_ok=True)
    facts = {}
    with open(directory / "grades.jsonl", "w", encoding="utf-8") as file:
        for number in range(submissions):
            problem = f"{('abc', 'arc', 'two-sum-')[number // 4 % 3]}{number // 4:05d}"
            facts[problem] = {
                "platform": ("atcoder", "leetcode")[number // 4 % 3 == 2],
                "difficulty": ("easy", "medium", "hard")[number // 12 % 3],
            }
            file.write(json.dumps(_grade(chance, problem, number).to_dict()) + "\n")
    (directory / "problems.json").write_text(json.dumps(facts))
    (directory / "run.json").write_text(json.dumps({"policy": "contest", "isolation": "test", "all_tests": False}))
    return directory


def _grade(chance: random.Random, problem: str, number: int) -> Grade:
    verdict = chance.choices(list(VERDICTS), list(VERDICTS.values()))[0]
    right = TESTS if verdict is Verdict.ACCEPTED else chance.randrange(TESTS)
    tests = [_passed(chance, index) for index in range(right)]
    detail = ""
    if verdict is Verdict.NO_CODE:
        tests, detail = [], "no program in the reply: it ends before any code"
    elif verdict is not Verdict.ACCEPTED:
        detail = _reason(chance, verdict)
        cpu = 2003.7 if verdict is Verdict.TIME_LIMIT else chance.uniform(5, 90)
        tests.append(TestResult(right, verdict, cpu, cpu * 1.02, chance.randrange(9000, 60000), None, detail))
    code = None if verdict is Verdict.NO_CODE else _program(chance)
    passed = sum(test.verdict is Verdict.ACCEPTED for test in tests)
    return Grade(f"{problem}-s{number % 4}", problem, verdict, passed, TESTS, tuple(tests), detail, code)


def _passed(chance: random.Random, index: int) -> TestResult:
    cpu = chance.lognormvariate(3, 0.8)
    rung = chance.choices(list(RUNGS), list(RUNGS.values()))[0] if index == 0 else "exact"
    return TestResult(index, Verdict.ACCEPTED, cpu, cpu * 1.05, chance.randrange(9000, 40000), rung)


def _reason(chance: random.Random, verdict: Verdict) -> str:
    if verdict is Verdict.WRONG_ANSWER:
        line = chance.randrange(1, 40)
        return f"line {line}, token 1: expected '{chance.randrange(10**6)}', got '{chance.randrange(10**6)}'"
    if verdict is Verdict.RUNTIME_ERROR:
        return f"  line {chance.randrange(1, 60)}, in solve\nIndexError: list index out of range"
    return {Verdict.TIME_LIMIT: "more than 2.0 s of CPU time", Verdict.MEMORY_LIMIT: "more than 512 MiB"}.get(
        verdict, "lost"
    )


def _program(chance: random.Random) -> str:
    lines = ["import sys", "from collections import defaultdict", "", "", "def solve(values, limit):"]
    lines += ['    """Counts what is within the limit."""', "    seen = defaultdict(int)"]
    for _ in range(chance.randrange(15, 50)):
        name = chance.choice(("best", "total", "left", "right", "steps", "count"))
        lines.append(
            f"    {name} = max(values[{chance.randrange(99)}] * {chance.randrange(10**6)}, len(values))  # {name}"
        )
    lines += ["    return sum(seen.values()) + total", "", "", "def main():"]
    lines += [
        "    n, *values = map(int, sys.stdin.read().split())",
        "    print(f'{solve(values, n):d}')",
        "",
        "",
        "main()",
    ]
    return "\n".join(lines) + "\n"


def measure(report: Path, browser_path: str) -> dict[str, float]:
    """Milliseconds until the page can be used, and of each action of a reader, with the page's layout."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, args=["--no-sandbox", "--disable-quic"])
        tab = browser.new_page()
        started = time.perf_counter()
        tab.goto(report.as_uri())
        tab.wait_for_selector("tr[data-row]")
        taken = {"open": 1000 * (time.perf_counter() - started)}

        def timed(name: str, action: str) -> None:
            taken[name] = tab.evaluate(
                f"() => {{ const t = performance.now(); {action}; document.body.offsetHeight;"
                " return performance.now() - t }"
            )

        typed = "const s = document.querySelector('[type=search]'); s.value = '{}'; s.dispatchEvent(new Event('input'))"
        timed("first search", typed.format("00042"))
        timed("search", typed.format("wrong expected 77"))
        timed("search cleared", typed.format(""))
        timed("sort by number", "document.querySelectorAll('[data-explorer] th button')[6].click()")
        timed("sort by text", "document.querySelectorAll('[data-explorer] th button')[1].click()")
        started = time.perf_counter()
        tab.click("tr[data-row] a")
        tab.wait_for_selector("dialog .line")
        taken["open a submission"] = 1000 * (time.perf_counter() - started)
        browser.close()
    return taken


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--submissions", type=int, default=10_000)
    parser.add_argument("--keep", type=Path, help="Keep the generated run here.")
    options = parser.parse_args()
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if not browser:
        sys.exit("no Chromium found: apt-get install chromium")
    with tempfile.TemporaryDirectory() as scratch:
        directory = make_run(options.keep or Path(scratch) / "made-up", options.submissions)
        started = time.perf_counter()
        report = write_run_report(directory)
        print(
            f"{options.submissions:,} submissions: written in {time.perf_counter() - started:.2f} s, "
            f"{report.stat().st_size / 1e6:.1f} MB (grades {(directory / 'grades.jsonl').stat().st_size / 1e6:.1f} MB)"
        )
        for name, milliseconds in measure(report, browser).items():
            print(f"{name:18} {milliseconds:7.0f} ms")


if __name__ == "__main__":
    main()
