"""The page of training runs: seeds as one curve with a band, folded zeros, what differs, scores, replies."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

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
    assert re.search(r"<title>a \(2 seeds\), 15: ", html), "a value under the pointer"
    chart = html.split("<h3>Critic reward")[1].split("</figure>")[0]
    assert {">1<", ">10<", ">20<", ">30<"} <= set(re.findall(r">\d+<", chart)), "ticks on the axis of steps"


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
