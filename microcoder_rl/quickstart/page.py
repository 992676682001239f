"""Writes the page that shows a quickstart's results. Every number on it is read from the files of the run."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from textwrap import shorten
from typing import Any

from microcoder_data.problem_set.check_problem import why_rejected
from microcoder_data.problem_set.raw_records import measure
from microcoder_eval.report.cells import percent, verdict_badge
from microcoder_eval.report.page import (
    Figure,
    Html,
    element,
    figures,
    join,
    page,
    section,
    side_by_side,
    table,
    write_page,
)
from microcoder_eval.verdict import Grade, Verdict
from microcoder_rl.report.curves import run_panels
from microcoder_rl.report.plot import panel_charts
from microcoder_rl.report.run_log import read_jsonl

FAULTS = {
    "html": "HTML in the statement",
    "language": "another language than English",
    "image": "an image that is missing",
    "cut_test": "tests cut short",
    "any_answer": "several right answers, no checker",
    "copy": "a copy of another problem",
    "story": "the same task under another story",
    "benchmark": "a problem of the benchmark",
    "wrong_output": "a wrong expected output",
    "broken": "a broken record",
    "": "none",
}
ANNOUNCED = {
    "accepted": ("right", {Verdict.ACCEPTED}),
    "slow_right": ("right, but slow", {Verdict.ACCEPTED, Verdict.TIME_LIMIT}),
    "wrong": ("wrong", {Verdict.WRONG_ANSWER}),
    "slow": ("too slow", {Verdict.TIME_LIMIT}),
    "memory": ("too much memory", {Verdict.MEMORY_LIMIT}),
    "crash": ("crashing", {Verdict.RUNTIME_ERROR}),
    "cheat": ("cheating", set(Verdict) - {Verdict.ACCEPTED, Verdict.JUDGE_ERROR}),
}
"""For each kind of program that the problem set announces: its name on the page and the verdicts that it may get."""
REPLIES = 6
LONGEST_WHY = 120


def write_index(out: Path) -> Path:
    """Write `index.html` of the quickstart in `out`; returns its path."""
    index = out / "index.html"
    dataset, grading, training = _Dataset(out), _Grading(out), _Training(out)
    head = figures([*dataset.figures(), *grading.figures(), *training.figures()])
    curves, *replies = training.sections()
    stories = section("What happened", element("div", *_stories(dataset, grading, training), class_="stories"))
    folded = [
        _folded("The dataset: records in, rows kept, faults found", dataset.sections()),
        _folded("Grading: programs and their verdicts, cheats", grading.sections()),
        _folded("Replies during training", replies),
    ]
    sections = (stories, curves, *folded, _own_data())
    lead = "One run, offline: raw problems became a dataset, programs were graded, a small model was trained."
    write_page(index, page("MicroCoder quickstart", head, *sections, lead=lead))
    return index


def _folded(summary: str, sections: list[Html]) -> Html:
    return element("details", element("summary", summary), *sections)


def _stories(dataset: _Dataset, grading: _Grading, training: _Training) -> list[Html]:
    """The three chapters in a few sentences each, with a link to each one's report."""
    planted = [line for line in dataset.recall if line.fault]
    agreed = sum(grade.verdict in ANNOUNCED[program["announced"]][1] for program, grade in grading.graded)
    cheats = [grade for program, grade in grading.graded if program["announced"] == "cheat"]
    first, last = training.evaluations[0], training.evaluations[-1]
    return [
        _story(
            "A dataset",
            f"{dataset.manifest['stages'][0]['in']} raw records became {dataset.manifest['rows']} rows. "
            f"{sum(line.found for line in planted)} of {sum(line.planted for line in planted)} planted faults were "
            "found, and every dropped record has a reason. ",
            _link("The dataset's report", dataset.report),
        ),
        _story(
            "Grading",
            f"{agreed} of {len(grading.graded)} programs got the verdict that they announce. Of {len(cheats)} cheats "
            f"{sum(grade.accepted for grade in cheats)} got through. ",
            _link("The grading report", grading.report),
        ),
        _story(
            "Training",
            f"In {last['step']} steps a model of 1.3 million parameters went from {percent(first['accuracy'])} to "
            f"{percent(last['accuracy'])} on {last['problems']} held-out tasks. ",
            _link("The curves on a page of their own", training.folder / "curves.html"),
        ),
    ]


def _story(heading: str, text: str, link: Html) -> Html:
    return element("div", element("h3", heading), element("p", text, link))


def _own_data() -> Html:
    commands = """microcoder eval grade --problems problems.jsonl --submissions replies.jsonl --out runs/mine
microcoder data init problems.jsonl && microcoder data build recipe.yaml --out datasets/mine
microcoder train init models/mine datasets/mine && microcoder train run train.yaml"""
    note = "JSON, JSON lines, CSV and Parquet with any field names; each command says what to do next."
    return section("With your own data", element("pre", commands, class_="commands"), note=note)


class _Dataset:
    def __init__(self, out: Path) -> None:
        self.manifest: dict[str, Any] = json.loads((out / "dataset" / "manifest.json").read_text(encoding="utf-8"))
        self.recall = measure(out / "raw" / "key.jsonl", out / "dataset")
        self.report = out / "dataset" / "report.html"

    def figures(self) -> list[Figure]:
        planted = [line for line in self.recall if line.fault]
        found, all_planted = sum(line.found for line in planted), sum(line.planted for line in planted)
        records = self.manifest["stages"][0]["in"]
        return [
            Figure("Rows in the dataset", f"{self.manifest['rows']}", f"of {records} raw records"),
            Figure("Planted faults found", f"{found} of {all_planted}", tone="good" if found == all_planted else ""),
        ]

    def sections(self) -> list[Html]:
        stages = [
            [stage["stage"].capitalize(), *(stage[name] for name in ("in", "kept", "dropped", "merged"))]
            for stage in self.manifest["stages"]
        ]
        account = table(["Stage", "In", "Kept", "Dropped", "Merged"], stages, numbers=range(1, 5))
        faults = [
            [
                FAULTS.get(line.fault, line.fault),
                f"{line.outcome} by {line.stage}" if line.stage else line.outcome,
                f"{line.found} of {line.planted}",
            ]
            for line in self.recall
        ]
        link = element("p", _link("The dataset's report", self.report), " shows why each record was dropped.")
        return [
            side_by_side(
                section("The dataset: records in and rows kept", account, link),
                section(
                    "Faults planted in the raw records",
                    table(["Fault", "Expected outcome", "Found"], faults, numbers=[2]),
                ),
            )
        ]


class _Grading:
    def __init__(self, out: Path) -> None:
        self.report = out / "easy-problems" / "report.html"
        self.summary: dict[str, Any] = json.loads((out / "easy-problems" / "summary.json").read_text(encoding="utf-8"))
        submissions = {line["id"]: line for line in read_jsonl(out / "programs" / "submissions.jsonl")}
        self.graded = [
            (submissions[grade.submission_id], grade)
            for grade in map(Grade.from_dict, read_jsonl(out / "easy-problems" / "grades.jsonl"))
        ]

    def figures(self) -> list[Figure]:
        agreed = sum(grade.verdict in ANNOUNCED[program["announced"]][1] for program, grade in self.graded)
        tests = f"{self.summary['tests_run']:,} tests"
        tone = "good" if agreed == len(self.graded) else "bad"
        return [Figure("Programs judged rightly", f"{agreed} of {len(self.graded)}", tests, tone)]

    def sections(self) -> list[Html]:
        kinds = Counter(program["announced"] for program, _ in self.graded)
        rows = []
        for announced, (words, expected) in ANNOUNCED.items():
            verdicts = Counter(grade.verdict for program, grade in self.graded if program["announced"] == announced)
            shown = [element("span", verdict_badge(verdict), f" {count} ") for verdict, count in verdicts.most_common()]
            agreed = sum(verdicts[verdict] for verdict in expected)
            rows.append([words.capitalize(), Html("".join(shown)), f"{agreed} of {kinds[announced]}"])
        cheats = sorted(
            [
                join(element("b", _words(program["id"])), ": ", program["reason"]),
                join(verdict_badge(grade.verdict), " ", shorten(why_rejected(grade), LONGEST_WHY)),
            ]
            for program, grade in self.graded
            if program["announced"] == "cheat"
        )
        link = element("p", _link("The grading report", self.report), " shows every program with its first difference.")
        return [
            section(
                "Grading: every program announces its verdict",
                table(["Programs", "Verdicts", "As announced"], rows, numbers=[2]),
                link,
            ),
            section(
                "Cheats",
                table(["Program", "Verdict"], cheats),
            ),
        ]


class _Training:
    def __init__(self, out: Path) -> None:
        self.folder = out / "training"
        self.evaluations = [record for record in read_jsonl(self.folder / "evals.jsonl") if record["set"] == "short"]
        self.metrics = read_jsonl(self.folder / "metrics.jsonl")
        self.samples = read_jsonl(self.folder / "samples.jsonl")

    def figures(self) -> list[Figure]:
        first, last = self.evaluations[0], self.evaluations[-1]
        tone = "good" if last["accuracy"] > first["accuracy"] else "bad"
        started = f"{percent(first['accuracy'])} before training"
        return [Figure(f"Test accuracy after {last['step']} steps", percent(last["accuracy"]), started, tone)]

    def sections(self) -> list[Html]:
        took = sum(record["time/step"] for record in self.metrics)
        note = (
            f"{self.evaluations[-1]['problems']} held-out tasks. {len(self.metrics)} steps took {took:.0f} s. "
            "short and long: replies of up to 24 and up to 64 tokens; the model is trained with 24."
        )
        link = element("p", _link("The curves on a separate page", self.folder / "curves.html"))
        return [
            section(
                "Training: MicroCoder-GRPO on a model of 1.3 million parameters",
                panel_charts(run_panels([self.folder], smooth=3)[:4]),
                note=f"{note} Running means over 3 steps.",
            ),
            self._replies(),
            section("More", link),
        ]

    def _replies(self) -> Html:
        """The first reply of some steps from the first one to the last."""
        steps = sorted({sample["step"] for sample in self.samples})
        shown = []
        for step in dict.fromkeys(steps[index * (len(steps) - 1) // (REPLIES - 1)] for index in range(REPLIES)):
            group = [sample for sample in self.samples if sample["step"] == step]
            accepted = sum(sample["verdict"] == Verdict.ACCEPTED.value for sample in group)
            reply = group[0]
            shown.append(
                element(
                    "div",
                    element("p", element("b", reply["prompt"].strip()), " ", verdict_badge(Verdict(reply["verdict"]))),
                    element("p", f"Step {step}, where {accepted} of {len(group)} replies are accepted", class_="note"),
                    element("pre", reply["reply"].strip()),
                )
            )
        note = "The first reply of some steps. Each step has different tasks, some easier and some harder."
        return section("Replies during training", element("div", *shown, class_="side-by-side"), note=note)


def _words(submission: str) -> str:
    """The name of a program's file, as words."""
    return submission.rsplit("/", 1)[-1].removesuffix(".py").replace("_", " ")


def _link(words: str, target: Path) -> Html:
    if not target.exists():
        return Html(words)
    return element("a", words, href=f"{target.parent.name}/{target.name}")
