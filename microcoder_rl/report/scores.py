"""The scores of the runs of a training page, as a table. Runs that differ in their seed alone are one row for each set.

scores_section(folders, run_names(folders), groups)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from microcoder_eval.report.cells import interval_text, percent
from microcoder_eval.report.page import Html, element, section, table
from microcoder_rl.report.before_after import before_and_after
from microcoder_rl.report.run_log import read_jsonl

_HEADINGS = ("Set", "First", "Last", "Change", "Best")
_OVER_PROBLEMS = "in brackets the 95 % interval of the change over problems"
_OVER_SEEDS = "in brackets from the lowest to the highest of the seeds"
_Scores = dict[int, float]
"""The accuracy by step."""


def scores_section(folders: Sequence[Path], names: Mapping[Path, str], groups: Mapping[str, str]) -> Html:
    """First, last and best score of each group of runs; where a group has several runs, those of each run, folded."""
    members: dict[str, list[Path]] = {}
    for folder in folders:
        members.setdefault(groups[names[folder]], []).append(folder)
    single = [[names[folder], *row] for folder in folders for row in _of_a_run(folder)]
    if not single:
        return section("Scores", element("p", "No evaluation yet.", class_="note"))
    note = "Accuracy on the evaluation sets. Change: from first to last, in points; "
    if len(members) == len(folders):
        return section("Scores", _table("Run", single), note=f"{note}{_OVER_PROBLEMS}.")
    rows = []
    for group, runs in members.items():
        label = f"{group} ({len(runs)} seeds)" if len(runs) > 1 else group
        rows += [[label, *row] for row in (_of_seeds(runs) if len(runs) > 1 else _of_a_run(runs[0]))]
    each = element("details", element("summary", f"Each run, {_OVER_PROBLEMS}"), _table("Run", single))
    alone = f"; of a single run, {_OVER_PROBLEMS}" if any(len(runs) == 1 for runs in members.values()) else ""
    return section("Scores", _table("Runs", rows), each, note=f"{note}{_OVER_SEEDS}{alone}.")


def _table(first: str, rows: Sequence[Sequence[str]]) -> Html:
    return table([first, *_HEADINGS], rows, numbers=(2, 3, 4, 5))


def _evaluated(folder: Path) -> dict[str, _Scores]:
    found: dict[str, _Scores] = {}
    for record in read_jsonl(folder / "evals.jsonl"):
        found.setdefault(record["set"], {})[record["step"]] = record["accuracy"]
    return found


def _of_a_run(folder: Path) -> list[list[str]]:
    changes = before_and_after(folder)
    rows = []
    for name, scores in _evaluated(folder).items():
        change = changes[name].change if name in changes else None
        by = f"{100 * change.value:+.1f} ({interval_text(change)})" if change else ""
        last = max(scores)
        rows.append([name, percent(scores[min(scores)]), _at(scores[last], last), by, _best(scores)])
    return rows


def _of_seeds(folders: Sequence[Path]) -> list[list[str]]:
    """The means over seeds, at the steps at which all of them were evaluated."""
    runs = [_evaluated(folder) for folder in folders]
    rows = []
    for name in runs[0]:
        scores = [run.get(name, {}) for run in runs]
        steps = sorted(set(scores[0]).intersection(*scores[1:]))
        if not steps:
            continue
        first, last = steps[0], steps[-1]
        mean = {step: sum(each[step] for each in scores) / len(scores) for step in steps}
        ends = sorted(100 * each[last] for each in scores)
        by = sorted(100 * (each[last] - each[first]) for each in scores)
        rows.append(
            [
                name,
                percent(mean[first]),
                f"{_at(mean[last], last)} ({ends[0]:.1f} to {ends[-1]:.1f})",
                f"{100 * (mean[last] - mean[first]):+.1f} ({by[0]:.1f} to {by[-1]:.1f})",
                _best(mean),
            ]
        )
    return rows


def _best(scores: _Scores) -> str:
    step = max(scores, key=lambda step: scores[step])
    return _at(scores[step], step)


def _at(score: float, step: int) -> str:
    return f"{percent(score)} (step {step})"
