"""The lab's pages, made from its results: `insights.md` for the documentation, `insights_curves.html` with the curves.

    write_pages(lab, Results(path), properties, folder=Path("docs"))

Both pages begin with the number of claims by verdict, and list all claims, also those that were not run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import numpy as np

from microcoder_eval.atomic import atomic_path
from microcoder_eval.report.chart import LINE_TONES, Line, charts, line_chart
from microcoder_eval.report.page import Figure, Html, element, figures, page, section, table, write_page
from microcoder_rl.lab.decide import (
    HELD,
    NEEDS_MODEL,
    NOT_HELD,
    NOT_RUN,
    NOT_SEPARABLE,
    TOO_FEW,
    Checked,
    Decided,
    Runs,
    decide,
    interval,
    series,
    statistics_of,
)
from microcoder_rl.lab.experiment import CheckConfig, ExperimentConfig, Lab, Measure
from microcoder_rl.lab.results import Record, Results

VERDICTS = {HELD: "good", NOT_HELD: "bad", NOT_SEPARABLE: "warn", TOO_FEW: "odd", NOT_RUN: "odd", NEEDS_MODEL: "odd"}
CURVES = (
    ("short", "Accuracy, training's limit", True),
    ("long", "Accuracy, long limit", True),
    ("reward", "Reward in training", False),
    ("eval_length", "Reply length (tokens)", False),
    ("diversity", "Diversity", False),
)
GROUPS = (("ETDCMBK", "insights"), ("P", "claims on Table 1"), ("AO", "questions of our own"))
"""First letters of claims, and what these claims are."""
ARM_MEASURES: tuple[tuple[Measure, bool], ...] = (("short", True), ("long", True), ("eval_length", False))
ARM_HEADINGS = (
    "Arm",
    "Seeds",
    "Accuracy at the training's limit (%)",
    "With a long limit (%)",
    "Reply length (tokens)",
)
INTRODUCTION = """\
The paper states 34 insights, each from single runs of one language model. This page tests them again, in a small
world that anybody can rerun on two cores ([what it is](#the-world)): every claim has runs that decide it, seeds,
and a rule that was written down before the runs (`pipelines/lab/`). It shows what the algorithm does there. It does
not show what a language model would do, and a claim that did not hold here may hold in the paper's setting.
"""
RULES = """\
Arms are compared within seeds. An interval is the 95 % bootstrap interval of the mean over seeds, not corrected for
multiple comparisons. "higher" *held* when the whole interval is above 0, and did *not hold* when it is below the
margin, the smallest difference that counts; "lower" likewise. "equal" held when the interval is within the margin.
The rest is *not separable*.
With fewer than 8 seeds there is no verdict. A claim held when all its checks held, and
did not hold when one did not. `final` is the mean of the last two evaluations, `early` that of the second and third;
`growth` is the change up to the middle of the run; `peak` is a seed's value at the step where the *other* seeds are
highest on average, and `fall` is `peak` minus `final`.

What changed after a first look: the verdict for fewer than 8 seeds was added after the first 8 runs. T4 lost a
threshold of 0.6 for diversity after runs at T = 1 and before any at T = 0.6. P1 to P5 were added after one
run of the arm `l14`. P6 to P8, A1 to A5 and O1 to O16 were written after the results of all others, and before any
of their own runs; some of their arms had been run for other claims.

O1 to O16 are about keys that the paper leaves open. Another value than the default is recommended where one of the two
accuracies is higher (its interval above 0) and the other not lower (its interval not below 0). Where one is higher and
the other lower, the limit that replies have in use decides. Otherwise the default stays.
"""
AFTERWARDS = "Written after the runs. The explanations are guesses, unless they name the arms that test them."
WORLD = """\
A question goes through up to eight letters; each sets a value or keeps the value as it was. The reply is a Python
program that reads a number and adds the last value to it. The model may write the values out before the program, one
line for each letter, or begin with the program and guess. Written working makes right answers likelier, and costs
length. Several phrases mean the same, so replies can be right in many ways. Some questions give hexadecimal input,
which only a rare form of program reads. Some replies have filler before the program or after it. The real grader runs
all programs. Its verdicts are made wrong only where an arm says so (`refuse`, `accept`). The code is in
`microcoder_rl/lab/`.
"""
HEADER = "<!-- Written by `microcoder lab page` from the recorded results. -->\n\n"


ArmCurves = Mapping[str, Line]
"""The curves of an arm by measure."""


@dataclass(frozen=True)
class WorldRow:
    """A row of the world's table, as `world.json` has it."""

    name: str
    value: float
    least: float
    most: float
    why: str


def write_pages(lab: Lab, results: Results, world: Sequence[WorldRow], folder: Path) -> tuple[Path, Path]:
    """Write both pages; returns their paths."""
    runs = {name: results.runs(lab, name) for name in lab.experiments}
    decided = {name: decide(claim, runs[experiment]) for name, (experiment, claim) in lab.claims.items()}
    decided = {name: decided[name] for name in lab.chosen("")}
    text = _markdown(lab, decided, runs, world, list(results.read().values()))
    with atomic_path(folder / "insights.md") as path:
        path.write_text(text, encoding="utf-8")
    write_page(folder / "insights_curves.html", _html(lab, decided, runs, world))
    return folder / "insights.md", folder / "insights_curves.html"


def _markdown(
    lab: Lab,
    decided: dict[str, Decided],
    runs: Mapping[str, Runs],
    world: Sequence[WorldRow],
    records: Sequence[Record],
) -> str:
    hours = sum(float(record.get("cpu_s", 0)) for record in records) / 3600
    lines = ["# The paper's insights, tested again", "", INTRODUCTION, _tally(decided), ""]
    curves = "[Each claim with its curves](insights_curves.html) is a page that works offline."
    lines += [f"Recorded: {len(records)} runs, {hours:.2f} CPU hours. {curves}", ""]
    lines += ["## The claims", "", "| id | claim | varied | result | verdict |", "| --- | --- | --- | --- | --- |"]
    for name, found in decided.items():
        experiment = lab.experiments[lab.claims[name][0]]
        result = "<br>".join(map(_result, found.checks)) or found.claim.needs
        claim = _cell(found.claim.claim)
        lines.append(f"| {name} | {claim} | {experiment.varied} | {result} | {found.verdict} |")
    for name, config in _in_order(lab, decided):
        if rows := arm_rows(runs[name]):
            lines += ["", f"## {config.title}", "", *_markdown_table(ARM_HEADINGS, rows)]
    notes = [f"- {name}: {found.claim.note}" for name, found in decided.items() if found.claim.note]
    explained = [f"- {name}: {found.claim.found}" for name, found in decided.items() if found.claim.found]
    if explained:
        lines += ["", "## What we make of it", "", AFTERWARDS, "", *explained]
    lines += [
        "",
        "## Notes",
        "",
        *notes,
        "",
        "## How a claim is decided",
        "",
        RULES,
        "## The world",
        "",
        *_world_lines(world),
    ]
    return HEADER + "\n".join(lines).rstrip() + "\n"


def _in_order(lab: Lab, decided: Mapping[str, Decided]) -> list[tuple[str, ExperimentConfig]]:
    """The experiments in the order of their claims."""
    return [(name, lab.experiments[name]) for name in dict.fromkeys(lab.claims[claim][0] for claim in decided)]


def _world_lines(world: Sequence[WorldRow]) -> list[str]:
    lines = [WORLD]
    if world:
        rows = [[row.name, f"{row.value:.3f}", f"{row.least:g} to {row.most:g}", row.why] for row in world]
        lines += ["Measured before any training (`microcoder lab world`):", ""]
        lines += _markdown_table(("property", "value", "wanted", "for"), rows)
    return lines


def arm_rows(runs: Runs) -> list[list[str]]:
    """A row for each arm that was run: its number of seeds, and its final figures with intervals. Before them a row
    with the first arm's figures before training."""
    known = [(arm, list(by_seed.values())) for arm, by_seed in runs.items() if by_seed]
    before = [_arm_row(f"{arm}, before training", records, "first") for arm, records in known[:1]]
    return before + [_arm_row(arm, records, "final") for arm, records in known]


def _arm_row(name: str, records: Sequence[Record], statistic: Literal["first", "final"]) -> list[str]:
    cells = []
    for measure, percent in ARM_MEASURES:
        values = (100 if percent else 1) * statistics_of(records, CheckConfig(measure, statistic, ("",), "higher", 0))
        low, high = interval(values)
        cells.append(f"{values.mean():.1f} [{low:.1f}, {high:.1f}]")
    return [name, str(len(records)), *cells]


def _markdown_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    lines = ["| " + " | ".join(headings) + " |", "|" + " --- |" * len(headings)]
    return lines + ["| " + " | ".join(map(_cell, row)) + " |" for row in rows]


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


def _tally(decided: Mapping[str, Decided]) -> str:
    sentences = []
    for letters, what in GROUPS:
        counts = Counter(found.verdict for name, found in decided.items() if name[0] in letters)
        parts = ", ".join(f"{counts[verdict]} {verdict}" for verdict in VERDICTS if counts[verdict])
        sentences += [f"Of {counts.total()} {what}: {parts}."] if parts else []
    return " ".join(sentences)


def _result(checked: Checked) -> str:
    question = _question(checked.check)
    if not checked.values:
        return question
    found = f"{checked.mean:+.3f} [{checked.low:+.3f}, {checked.high:+.3f}]"
    return f"{question}: {found}, {len(checked.values)} seeds, {checked.verdict}"


def _question(check: CheckConfig) -> str:
    """What a check compares, and what was predicted.

    >>> _question(CheckConfig("long", "final", ("a", "b"), "higher", 0.02))
    'final of long, a against b: higher'
    """
    what = f"{check.measure} - {check.minus}" if check.minus else check.measure
    arms = " against ".join(check.arms) if len(check.arms) == 2 else check.arms[0]
    than = f" than {check.than:g}" if len(check.arms) == 1 and check.than else ""
    return f"{check.statistic} of {what}, {arms}: {check.predicted}{than}"


def _html(lab: Lab, decided: Mapping[str, Decided], runs: Mapping[str, Runs], world: Sequence[WorldRow]) -> str:
    counts = Counter(found.verdict for name, found in decided.items() if name[0] in GROUPS[0][0])
    top = figures([Figure(verdict, str(counts[verdict]), tone=tone) for verdict, tone in VERDICTS.items()])
    rules = [element("p", paragraph) for paragraph in RULES.replace("*", "").replace("`", "").split("\n\n")]
    parts = [top, section("How a claim is decided", *rules)]
    for experiment, config in _in_order(lab, decided):
        own = [(name, found) for name, found in decided.items() if lab.claims[name][0] == experiment]
        curves = {arm: _curves_of(arm, list(by_seed.values())) for arm, by_seed in runs[experiment].items() if by_seed}
        parts.append(
            section(
                config.title,
                *(_claim(name, found, curves) for name, found in own),
                _arms(runs[experiment]),
                note=f"Varied: {config.varied}. Each claim opens to its checks and curves.",
            )
        )
    rows = [[row.name, f"{row.value:.3f}", f"{row.least:g} to {row.most:g}", row.why] for row in world]
    parts.append(
        section("The world before training", table(["Property", "Value", "Wanted", "For"], rows, numbers=(1,)))
    )
    return page("The paper's insights, tested again", *parts, lead=_tally(decided))


def _claim(name: str, found: Decided, curves: Mapping[str, ArmCurves]) -> Html:
    badge = element("span", found.verdict, class_="verdict", data_tone=VERDICTS[found.verdict])
    rows = [
        [
            _question(each.check),
            f"{each.mean:+.3f}" if each.values else "",
            f"{each.low:+.3f} to {each.high:+.3f}" if each.values else "",
            len(each.values),
            each.verdict,
        ]
        for each in found.checks
    ]
    headings = ["Check", "Mean", "95 % interval", "Seeds", "Verdict"]
    inside = table(headings, rows, numbers=(1, 2, 3)) if rows else element("p", found.claim.needs)
    note = element("p", found.claim.note, class_="note") if found.claim.note else ""
    afterwards = element("p", "After the runs: ", found.claim.found) if found.claim.found else ""
    arms = dict.fromkeys(arm for each in found.checks for arm in each.check.arms)
    drawn = _charts([curves[arm] for arm in arms if arm in curves])
    summary = element("summary", f"{name}: {found.claim.claim} ", badge)
    return element("details", summary, note, inside, afterwards, drawn)


def _arms(runs: Runs) -> Html:
    rows = arm_rows(runs)
    return table(ARM_HEADINGS, rows, numbers=range(1, len(ARM_HEADINGS))) if rows else Html("")


def _curves_of(arm: str, records: Sequence[Record]) -> ArmCurves:
    """For each measure the mean over an arm's seeds, with the interval of the mean as a band."""
    found = {}
    for measure, _, _ in CURVES:
        steps, _ = series(records[0], measure)
        values = np.array([series(record, measure)[1] for record in records], dtype=float)  # [S, P]
        band = [(step, *interval(column)) for step, column in zip(steps, values.T, strict=True)]
        mean = list(zip(steps, values.mean(0).tolist(), strict=True))
        found[measure] = Line(f"{arm} ({len(records)})", mean, band=band)
    return found


def _charts(curves: Sequence[ArmCurves]) -> Html:
    """A chart for each measure, with the curves of some arms."""
    if not curves:
        return element("p", "Not run yet.", class_="note")
    drawn = []
    for measure, title, percent in CURVES:
        lines = [
            replace(each[measure], tone=LINE_TONES[place % len(LINE_TONES)], dashed=place >= len(LINE_TONES))
            for place, each in enumerate(curves)
        ]
        drawn.append(line_chart(title, lines, percent))
    return charts(*drawn)
