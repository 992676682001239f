"""The page of training runs: seeds as one curve with a band, folded zeros, what differs, scores, replies."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from microcoder_rl.report.before_after import before_and_after
from microcoder_rl.report.curves import run_panels
from microcoder_rl.report.training_page import seed_groups, write_training_page


def run_folder(folder: Path, seed: int, lr: float) -> Path:
    folder.mkdir()
    lines: dict[str, list[Any]] = {
        "metrics.jsonl": [
            {"step": n, "reward": 0.1 * n + seed / 10, "length": 9, "clip_share": 0.0} for n in range(1, 31)
        ],
        "evals.jsonl": [{"step": n, "set": "test", "accuracy": 0.2 + n / 100} for n in (0, 15, 30)],
        "samples.jsonl": [
            {"step": n, "prompt": "add <b>", "reply": f"reply {n}", "verdict": "ACCEPTED", "reward": 1.0}
            for n in (1, 15, 30)
        ],
    }
    for name, records in lines.items():
        (folder / name).write_text("".join(json.dumps(record) + "\n" for record in records))
    recipe = {"run": {"seed": seed, "name": folder.name, "out": str(folder)}, "optimizer": {"lr": lr}}
    (folder / "recipe.json").write_text(json.dumps(recipe))
    return folder


def test_runs_that_differ_in_the_seed_are_one_curve_with_a_band(tmp_path: Path) -> None:
    runs = [
        run_folder(tmp_path / name, seed, lr) for name, seed, lr in (("a", 0, 1e-5), ("b", 1, 1e-5), ("c", 0, 1e-6))
    ]
    write_training_page(runs, tmp_path / "curves.html", smooth=3)
    html = (tmp_path / "curves.html").read_text()
    assert "a (2 seeds)" in html and "<polygon" in html
    assert "Running means over 3 steps" in html and "from the lowest to the highest of the seeds" in html
    assert re.search(r"Zero throughout: [^<]*Clipped share of tokens", html)
    assert ">optimizer.lr</td>" in html and "What differs between the recipes" in html
    assert "50.0 % (step 30)" in html and "reply 15" in html and "add &lt;b&gt;" in html
    assert re.search(r"<title>15\na \(2 seeds\): [^<]*\nc: ", html), "the values under the pointer"
    chart = html.split("<h3>Critic reward")[1].split("</figure>")[0]
    assert {">1<", ">10<", ">20<", ">30<"} <= set(re.findall(r">\d+<", chart)), "ticks on the axis of steps"


def test_what_was_never_measured_is_not_called_zero(tmp_path: Path) -> None:
    """Where no reply could be trained on, entropy has no value: it is not 0."""
    run = run_folder(tmp_path / "a", 0, 1e-5)
    steps = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
    unmeasured = [{**step, "entropy": None, "gap": 0.0} for step in steps]
    (run / "metrics.jsonl").write_text("".join(json.dumps(step) + "\n" for step in unmeasured))
    write_training_page([run], tmp_path / "curves.html")
    html = (tmp_path / "curves.html").read_text()
    assert re.search(r"Zero throughout: (?![^<]*Entropy)[^<]*Sampler-trainer gap", html)
    assert re.search(r"Without values: [^<]*Entropy \(nats\)", html)


def test_the_scores_of_seeds_are_one_row_and_the_runs_are_folded(tmp_path: Path) -> None:
    for seed, ends in enumerate(((0.2, 0.4), (0.3, 0.8))):
        run = run_folder(tmp_path / f"dapo-seed{seed}", seed, 1e-5)
        lines = [{"step": n, "set": "test", "accuracy": accuracy} for n, accuracy in zip((0, 30), ends, strict=True)]
        (run / "evals.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    with open(tmp_path / "dapo-seed1" / "evals.jsonl", "a") as file:
        file.write('{"step": 60, "set": "test", "accuracy": 0.9}\n')
    runs = [*(tmp_path / f"dapo-seed{seed}" for seed in (0, 1)), run_folder(tmp_path / "low", 0, 1e-6)]
    write_training_page(runs, tmp_path / "curves.html")
    html = (tmp_path / "curves.html").read_text()
    assert html.index(">Curves<") < html.index(">Scores<"), "no table first"
    scores, folded = html.split(">Scores<")[1].split("<details")[:2]
    rows = [re.findall(r"<td[^>]*>([^<]*)</td>", row) for row in scores.split("<tr")]
    dapo = next(row for row in rows if row and row[0] == "dapo (2 seeds)")
    assert dapo[1:] == ["test", "25.0 %", "60.0 % (step 30) (40.0 to 80.0)", "+35.0 (20.0 to 50.0)", "60.0 % (step 30)"]
    assert [row[0] for row in rows if row] == ["dapo (2 seeds)", "low"]
    assert "dapo-seed1" in folded and "90.0 % (step 60)" in folded


def test_two_runs_of_the_same_name_are_two_curves(tmp_path: Path) -> None:
    for name in ("old", "new"):
        (tmp_path / name).mkdir()
    runs = [run_folder(tmp_path / name / "train", 0, lr) for name, lr in (("old", 1e-5), ("new", 1e-6))]
    write_training_page(runs, tmp_path / "curves.html")
    html = (tmp_path / "curves.html").read_text()
    assert "2 seeds" not in html and "<polygon" not in html
    assert ">optimizer.lr</td>" in html and f">{runs[0]}</th>" in html


def test_every_curve_of_a_panel_has_its_own_colour(tmp_path: Path) -> None:
    """The groups a, b, c, d: by the number of the run, c would get the colour that d has by the number of the group."""
    given = (("a0", 0, 1e-5), ("a1", 1, 1e-5), ("b", 0, 1e-6), ("c", 0, 1e-7), ("d0", 0, 1e-4), ("d1", 1, 1e-4))
    runs = [run_folder(tmp_path / name, seed, lr) for name, seed, lr in given]
    groups = {"a0": "a", "a1": "a", "b": "b", "c": "c", "d0": "d", "d1": "d"}
    for panel in run_panels(runs, groups=groups):
        assert len({line.tone for line in panel.lines}) == len(panel.lines)


def test_one_run_without_recipe_or_replies(tmp_path: Path) -> None:
    run = run_folder(tmp_path / "a", 0, 1e-5)
    (run / "recipe.json").unlink()
    (run / "samples.jsonl").unlink()
    write_training_page([run], tmp_path / "curves.html")
    html = (tmp_path / "curves.html").read_text()
    assert "Not smoothed" in html and "<polygon" not in html and "Replies" not in html


def test_runs_without_recipes_are_not_taken_for_seeds() -> None:
    assert seed_groups({"a": {}, "b": {}}) == {"a": "a", "b": "b"}


def test_many_runs_have_a_short_title_and_a_column_for_each_group_of_seeds(tmp_path: Path) -> None:
    runs = [
        run_folder(tmp_path / f"{name}-seed{seed}", seed, lr)
        for name, lr in (("low", 1e-6), ("middle", 1e-5), ("high", 1e-4))
        for seed in (0, 1)
    ]
    write_training_page(runs, tmp_path / "curves.html")
    html = (tmp_path / "curves.html").read_text()
    assert "<h1>Training: 6 runs</h1>" in html and "low (2 seeds)" in html
    assert ">0, 1</td>" in html and html.count("<th>middle</th>") == 1


def test_the_page_shows_replies_before_and_after_and_the_interval_of_the_change(tmp_path: Path) -> None:
    run = run_folder(tmp_path / "a", 0, 1e-5)
    accepted = {0: (0, 1, 2), 30: (1, 4, 2)}
    lines = [
        {"step": step, "set": "test", "problem_id": f"p{n}", "accuracy": count / 4, "prompt": f"task {n}"}
        | {"verdicts": ["ACCEPTED"] * count + ["WRONG_ANSWER"] * (4 - count), "reply": f"<reply {n} of step {step}>"}
        for step in (0, 30)
        for n, count in enumerate(accepted[step])
    ]
    (run / "answers.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert before_and_after(run)["test"].change.value == (0.25 + 0.75 + 0) / 3
    write_training_page([run], tmp_path / "curves.html")
    html = (tmp_path / "curves.html").read_text()
    assert re.search(r"\+33\.3 \(0\.0 to 75\.0\)", html), "the change and its interval"
    shown = re.findall(r"(p\d): (\d) of 4 accepted before, (\d) of 4 after", html)
    assert shown == [("p0", "0", "1"), ("p1", "1", "4"), ("p2", "2", "2")], "changed verdicts first"
    assert html.index("&lt;reply 0 of step 0&gt;") < html.index("&lt;reply 0 of step 30&gt;")


def test_a_problem_without_a_known_accuracy_or_a_reply_is_left_out(tmp_path: Path) -> None:
    run = run_folder(tmp_path / "a", 0, 1e-5)
    line = {"set": "test", "verdicts": ["JUDGE_ERROR"]}
    lines = [{**line, "step": s, "problem_id": p, "accuracy": a} for s in (0, 5) for p, a in (("x", None), ("y", 0.5))]
    (run / "answers.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines) + '{"step": 9, "se')
    assert [before["problem_id"] for before, _ in before_and_after(run)["test"].pairs] == ["y"]
    write_training_page([run], tmp_path / "curves.html")
    assert "before and after" not in (tmp_path / "curves.html").read_text()
