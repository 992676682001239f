"""Replies to the test problems before and after training, side by side, and the change of accuracy with its interval.

    before_and_after(Path("runs/a"))["held_out"].change          # Estimate(0.12, 0.05, 0.19, problems=60)

It reads `answers.jsonl`, where each evaluation leaves a line for every problem.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from microcoder_eval.metrics import Estimate, mean_over_problems
from microcoder_eval.report.cells import VERDICT_TONES
from microcoder_eval.report.page import Html, element
from microcoder_eval.verdict import Verdict
from microcoder_rl.report.run_log import read_jsonl

SHOWN = 24
"""Problems that the page shows for each run and set: those that changed most."""


@dataclass(frozen=True)
class BeforeAfter:
    """The first and the last evaluation of a set, problem by problem."""

    steps: tuple[int, int]
    pairs: tuple[tuple[Mapping[str, Any], Mapping[str, Any]], ...]

    @property
    def change(self) -> Estimate:
        """Mean change of accuracy over the problems, with the interval of a paired bootstrap."""
        return mean_over_problems([after["accuracy"] - before["accuracy"] for before, after in self.pairs])


def before_and_after(folder: Path) -> dict[str, BeforeAfter]:
    """For each evaluation set its first and its last evaluation; empty for a run with one evaluation."""
    by_set: dict[str, dict[int, dict[str, dict[str, Any]]]] = {}
    for line in read_jsonl(folder / "answers.jsonl"):
        by_set.setdefault(line["set"], {}).setdefault(line["step"], {})[line["problem_id"]] = line
    found = {}
    for name, by_step in by_set.items():
        first, last = min(by_step), max(by_step)
        both = [(line, by_step[last].get(key)) for key, line in by_step[first].items()]
        pairs = [(a, b) for a, b in both if b and None not in (a["accuracy"], b["accuracy"])]
        if first != last and pairs:
            found[name] = BeforeAfter((first, last), tuple(pairs))
    return found


def reply_pairs(found: BeforeAfter) -> list[Html]:
    """A folded element for each problem with a kept reply: first those whose verdict changed, then by accuracy."""
    shown = [pair for pair in found.pairs if "reply" in pair[0] and "reply" in pair[1]]
    shown.sort(key=_changed, reverse=True)
    return [_problem(found.steps, *pair) for pair in shown[:SHOWN]]


def _changed(pair: tuple[Mapping[str, Any], Mapping[str, Any]]) -> tuple[bool, float]:
    before, after = pair
    return before["verdicts"][0] != after["verdicts"][0], abs(after["accuracy"] - before["accuracy"])


def _problem(steps: tuple[int, int], before: Mapping[str, Any], after: Mapping[str, Any]) -> Html:
    counts = [f"{_accepted(line)} of {len(line['verdicts'])}" for line in (before, after)]
    summary = element("summary", f"{before['problem_id']}: {counts[0]} accepted before, {counts[1]} after")
    sides = [_side(f"Step {step}", line) for step, line in zip(steps, (before, after), strict=True)]
    prompt = element("p", before["prompt"].strip(), class_="note")
    return element("details", summary, prompt, element("div", *sides, class_="two"))


def _accepted(line: Mapping[str, Any]) -> int:
    verdicts: Sequence[str | None] = line["verdicts"]
    return sum(verdict == Verdict.ACCEPTED.value for verdict in verdicts)


def _side(title: str, line: Mapping[str, Any]) -> Html:
    verdict = str(line["verdicts"][0])
    tone = VERDICT_TONES[Verdict(verdict)] if verdict in Verdict.__members__ else None
    badge = element("span", verdict, class_="verdict", data_tone=tone)
    return element(
        "div",
        element("p", f"{title}: ", badge, class_="outcome"),
        element("pre", line["reply"].strip(), class_="kept"),
    )
