"""The page of one or more training runs: curves, scores, what differs between the recipes, replies before and after.

    write_training_page([Path("runs/a"), Path("runs/b")], Path("curves.html"), smooth=5)

Runs whose recipes differ in the seed alone are drawn as one curve with a band. Everything is read from run folders.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from microcoder_eval.plural import counted
from microcoder_eval.report.cells import VERDICT_TONES
from microcoder_eval.report.page import Html, element, page, section, table, write_page
from microcoder_eval.verdict import Verdict
from microcoder_rl.report.before_after import before_and_after, reply_pairs
from microcoder_rl.report.curves import Panel, is_all_zero, run_names, run_panels
from microcoder_rl.report.plot import panel_charts
from microcoder_rl.report.run_log import read_jsonl
from microcoder_rl.report.scores import scores_section

REPLIES = 12
LONGEST_REPLY = 4000
_NAMES = ("run.name", "run.out")
_IN_THE_TITLE = 2


def write_training_page(folders: Sequence[Path], out: Path, smooth: int = 1) -> None:
    """Write the page; raises `InputError` for a folder without a run."""
    names = run_names(folders)
    recipes = {names[folder]: _flat(_recipe(folder)) for folder in folders}
    groups = shared_names(seed_groups(recipes))
    drawn = run_panels(folders, smooth=smooth, groups=groups)
    empty = [panel for panel in drawn if not any(line.points for line in panel.lines)]
    zero = [panel for panel in drawn if panel not in empty and is_all_zero(panel)]
    shown = [panel for panel in drawn if panel not in empty and panel not in zero]
    smoothing = f"Running means over {smooth} steps, but for test accuracy." if smooth > 1 else "Not smoothed."
    bands = " A band is from the lowest to the highest of the seeds." if len(set(groups.values())) < len(groups) else ""
    parts = [
        section(
            "Curves",
            panel_charts(shown),
            *_folded(zero),
            *_without_values(empty),
            note=f"Over training steps. {smoothing}{bands}",
        ),
        scores_section(folders, names, groups),
        *_differences(recipes, groups),
        *_before_and_after(names),
        *_replies(names),
    ]
    listed = ", ".join(dict.fromkeys(groups.values()))
    few = len(set(groups.values())) <= _IN_THE_TITLE
    title = f"Training: {listed}" if few else f"Training: {counted(len(folders), 'run')}"
    write_page(out, page(title, *parts, lead="" if few else listed))


def seed_groups(recipes: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """The group of each run: the name of the first run whose recipe is the same but for the seed.

    >>> seed_groups({"a": {"run.seed": 0, "x": 1}, "b": {"run.seed": 1, "x": 1}, "c": {"x": 2}})
    {'a': 'a', 'b': 'a', 'c': 'c'}
    """
    first: dict[str, str] = {}
    groups = {}
    for name, recipe in recipes.items():
        rest = {key: value for key, value in recipe.items() if key not in (*_NAMES, "run.seed")}
        same = first.setdefault(json.dumps(rest, sort_keys=True, default=str), name) if rest else name
        groups[name] = same
    return groups


def shared_names(groups: Mapping[str, str]) -> dict[str, str]:
    """The groups renamed to the common beginning of their runs' names, unless two groups would get the same name.

    >>> shared_names({"dapo-seed0": "dapo-seed0", "dapo-seed1": "dapo-seed0", "b": "b"})
    {'dapo-seed0': 'dapo', 'dapo-seed1': 'dapo', 'b': 'b'}
    """
    named = {}
    for group in dict.fromkeys(groups.values()):
        runs = [run for run, its_group in groups.items() if its_group == group]
        common = os.path.commonprefix(runs) if len(runs) > 1 else group  # noqa: RUF071 - names, not paths
        named[group] = re.sub(r"[-_. ]*(?:seed|s)?[-_. ]*$", "", common) if len(runs) > 1 else group
    if not all(named.values()) or len(set(named.values())) < len(named):
        return dict(groups)
    return {run: named[group] for run, group in groups.items()}


def _recipe(folder: Path) -> dict[str, Any]:
    file = folder / "recipe.json"
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _flat(recipe: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in recipe.items():
        if isinstance(value, dict) and value:
            found |= _flat(value, f"{prefix}{name}.")
        else:
            found[f"{prefix}{name}"] = value
    return found


def _folded(zero: Sequence[Panel]) -> list[Html]:
    if not zero:
        return []
    names = ", ".join(panel.title for panel in zero)
    summary = element("summary", f"Zero throughout: {names}")
    return [element("details", summary, panel_charts(zero))]


def _without_values(empty: Sequence[Panel]) -> list[Html]:
    """A line about what was measured in no step. Entropy and clipping are those of trained replies: where all replies
    to a problem have one reward, there are none."""
    names = ", ".join(panel.title for panel in empty)
    return [element("p", f"Without values: {names}", class_="note")] if empty else []


def _differences(recipes: Mapping[str, Mapping[str, Any]], groups: Mapping[str, str]) -> list[Html]:
    """A table of the keys that differ, with a column for each group of runs."""
    keys = sorted({key for recipe in recipes.values() for key in recipe} - set(_NAMES))
    differing = [key for key in keys if len({str(recipe.get(key)) for recipe in recipes.values()}) > 1]
    if len(recipes) < 2 or not differing:
        return []
    columns = {name: [recipe for run, recipe in recipes.items() if groups[run] == name] for name in groups.values()}
    rows = [
        [key, *(", ".join(dict.fromkeys(str(recipe.get(key, "")) for recipe in alike)) for alike in columns.values())]
        for key in differing
    ]
    return [section("What differs between the recipes", table(["Key", *columns], rows, wide=len(columns) > 1))]


def _before_and_after(names: Mapping[Path, str]) -> list[Html]:
    found = []
    for folder, run in names.items():
        for name, pairs in before_and_after(folder).items():
            problems = reply_pairs(pairs)
            title = " ".join([run] * (len(names) > 1) + [name])
            found += [element("details", element("summary", element("b", title)), *problems)] if problems else []
    if not found:
        return []
    note = "The first reply to test problems at the first and the last evaluation; what changed most comes first."
    return [section("Replies before and after", *found, note=note)]


def _replies(names: Mapping[Path, str]) -> list[Html]:
    found = []
    for folder, run in names.items():
        samples = read_jsonl(folder / "samples.jsonl")
        steps = sorted({sample["step"] for sample in samples})
        chosen = dict.fromkeys(steps[i * (len(steps) - 1) // (REPLIES - 1)] for i in range(REPLIES)) if steps else {}
        steps_shown = []
        for step in chosen:
            group = [sample for sample in samples if sample["step"] == step]
            accepted = sum(sample["verdict"] == Verdict.ACCEPTED.value for sample in group)
            summary = element("summary", f"Step {step}: {accepted} of {len(group)} accepted")
            steps_shown.append(element("details", summary, *map(_reply, group)))
        if steps_shown and len(names) > 1:
            steps_shown = [element("details", element("summary", element("b", run)), *steps_shown)]
        found += steps_shown
    if not found:
        return []
    note = "Sampled replies of some steps, with the verdict and the reward of each."
    return [section("Replies", *found, note=note)]


def _reply(sample: Mapping[str, Any]) -> Html:
    verdict = str(sample["verdict"])
    tone = VERDICT_TONES[Verdict(verdict)] if verdict in Verdict.__members__ else None
    badge = element("span", verdict, class_="verdict", data_tone=tone)
    reward = sample.get("reward")
    shown = "" if reward is None else f" reward {reward:g}"
    return element(
        "div",
        element("p", badge, shown, class_="outcome"),
        element("pre", str(sample["prompt"]).strip()[:LONGEST_REPLY], class_="kept"),
        element("pre", str(sample["reply"]).strip()[:LONGEST_REPLY], class_="difference"),
    )
