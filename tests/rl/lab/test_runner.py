"""Running the lab: a small one, with the real trainer and the real grader. Killed, resumed, repeated, two at a time."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

import cli
from microcoder_data.lock import exclusive
from microcoder_rl.lab.experiment import load_lab
from microcoder_rl.lab.page import WorldRow, write_pages
from microcoder_rl.lab.results import Results
from microcoder_rl.lab.runner import run_missing, wanted

ROOT = Path(__file__).parents[3]
BASE = {
    "algorithm": "dapo",
    "run": {"steps": 2, "device": "cpu", "threads": 1},
    "rollout": {"group": 4, "max_tokens": 8},
    "batch": {"prompts": 4, "minibatch": 2},
    "temperature": {"value": 1.0, "unit": "tokens"},
    "truncation": {"window": 3},
    "grader": {"workers": 1, "isolation": "submission"},
    "evaluate": {"every": 1, "samples": 1, "temperature": 1.0},
}
SMALL = {"hidden": 32, "layers": 1, "steps": 3, "batch": 8, "models": 1}
CHECK = {"measure": "long", "statistic": "final", "predicted": "higher", "margin": 0.02}
EXPERIMENT = {
    "title": "Small",
    "varied": "nothing much",
    "seeds": 2,
    "arms": {
        "plain": {"world": SMALL},
        "kl": {"world": SMALL, "recipe": {"loss": {"kl_weight": 0.1}}, "refuse": 0.5, "accept": 0.5},
        "probed": {"world": SMALL, "probe_policies": True, "probe_temperatures": [0.5, 1.5]},
    },
    "claims": {
        "C1": {"claim": "The one <b>claim</b>.", "checks": [{**CHECK, "arms": ["plain", "kl"]}]},
        "C2": {"claim": "Another one.", "checks": [{**CHECK, "arms": ["probed"]}]},
        "C3": {"claim": "A third one.", "needs": "a model of its own"},
    },
}


@pytest.fixture(scope="module")
def recipes(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("recipes")
    (folder / "base.yaml").write_text(yaml.safe_dump(BASE))
    (folder / "small.yaml").write_text(yaml.safe_dump(EXPERIMENT))
    return folder


@pytest.fixture(scope="module")
def whole(recipes, tmp_path_factory) -> Path:
    """The folder of a lab that ran to its end."""
    out = tmp_path_factory.mktemp("whole")
    lab = load_lab(recipes)
    assert run_missing(recipes, wanted(lab, lab.chosen("")), out, jobs=1, notify=lambda message: None) == []
    return out


def figures(out: Path) -> dict:
    return {run: record["points"] for run, record in Results(out / "results.jsonl").read().items()}


def call(*arguments: str):
    return CliRunner().invoke(cli.microcoder, ["lab", *arguments])


def test_every_run_has_its_points(recipes, whole):
    lab = load_lab(recipes)
    runs = Results(whole / "results.jsonl").runs(lab, "small")
    assert {name: sorted(of_arm) for name, of_arm in runs.items()} == {
        "plain": [0, 1],
        "kl": [0, 1],
        "probed": [0, 1],
    }
    assert [point["step"] for point in runs["plain"][0]["points"]] == [0, 1, 2]
    assert runs["plain"][0]["points"] != runs["plain"][1]["points"]
    assert runs["probed"][0]["points"][0]["robust_to"] in (0.5, 1.5)
    assert runs["probed"][0]["points"][0]["agree_contest"] == 1.0
    assert "torch" in runs["plain"][0]["versions"]


def test_probes_change_nothing_of_the_training(recipes, whole):
    runs = Results(whole / "results.jsonl").runs(load_lab(recipes), "small")
    for plain, probed in zip(runs["plain"][0]["points"], runs["probed"][0]["points"], strict=True):
        assert {name: probed[name] for name in plain} == plain


def test_finished_runs_are_not_run_again(recipes, whole):
    lab = load_lab(recipes)
    said: list[str] = []
    run_missing(recipes, wanted(lab, lab.chosen("")), whole, jobs=1, notify=said.append)
    assert said == ["lab: 6 of 6 runs are done"]


def test_two_processes_give_the_same_bits(recipes, whole, tmp_path):
    lab = load_lab(recipes)
    run_missing(recipes, wanted(lab, ["C1"]), tmp_path, jobs=2, notify=lambda message: None)
    both = figures(tmp_path)
    assert len(both) == 4
    assert both == {run: points for run, points in figures(whole).items() if run in both}


@pytest.mark.slow  # a full disk ends a lab below, and the same command goes on; killed runs are in test_trainer.py
def test_a_killed_lab_leaves_no_worker_behind_and_goes_on(recipes, whole, tmp_path):
    command = [sys.executable, "-m", "cli", "lab", "run", "--jobs", "2", "--claims", "C1"]
    options = ["--recipes", str(recipes), "--out", str(tmp_path)]
    lab = subprocess.Popen([*command, *options], cwd=ROOT, start_new_session=True, stdout=subprocess.DEVNULL)
    while lab.poll() is None and not figures(tmp_path):
        time.sleep(0.05)
    lab.send_signal(signal.SIGKILL)
    lab.wait()
    while _in_session(lab.pid):
        time.sleep(0.05)
    left = load_lab(recipes)
    run_missing(recipes, wanted(left, ["C1"]), tmp_path, jobs=1, notify=lambda message: None)
    found = figures(tmp_path)
    assert len(found) == 4
    assert found == {run: points for run, points in figures(whole).items() if run in found}


def test_a_full_disk_is_one_line_and_the_same_command_goes_on(recipes, whole, tmp_path):
    out = tmp_path / "small"
    out.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(out)], capture_output=True).returncode:
        pytest.skip("needs the right to mount a small disk")
    try:
        shutil.copytree(whole / "models", out / "models")
        (out / ".lock").write_text("taken before the disk is full")
        filler = out / "filler"
        with pytest.raises(OSError), open(filler, "wb", buffering=0) as file:
            while True:
                file.write(bytes(4096))
        options = ["run", "--claims", "C1", "--json", "--recipes", str(recipes), "--out", str(out), "--jobs"]
        for jobs in ("2", "1"):
            refused = call(*options, jobs)
            assert refused.exit_code in (1, 2), refused.output
            assert f"no space left to write {out / 'results.jsonl'}" in refused.stderr
            assert "Traceback" not in refused.stderr
            assert isinstance(refused.exception, SystemExit)
        filler.unlink()
        assert call(*options, jobs).exit_code == 0
        found = figures(out)
        assert len(found) == 4
        assert found == {run: points for run, points in figures(whole).items() if run in found}
    finally:
        subprocess.run(["umount", str(out)], check=True)


def test_a_second_lab_in_the_same_folder_is_refused(recipes, tmp_path):
    with exclusive(tmp_path):
        second = call("run", "--recipes", str(recipes), "--out", str(tmp_path))
    assert second.exit_code == 2
    assert "is writing into this directory" in second.output


def test_pages_have_every_claim_and_say_what_was_not_run(recipes, whole, tmp_path):
    lab = load_lab(recipes)
    world = [WorldRow("cut | off", 0.3, 0.1, 0.4, "mask")]
    markdown, html = write_pages(lab, Results(whole / "results.jsonl"), world, tmp_path)
    text, page = markdown.read_text(), html.read_text()
    for name in ("C1", "C2", "C3"):
        assert f"| {name} |" in text
        assert f"{name}: " in page
    assert "needs a model" in text
    assert "2 seeds, too few seeds" in text
    assert "cut \\| off" in text
    assert "<b>claim</b>" not in page
    assert "<polyline" in page
    write_pages(lab, Results(tmp_path / "none.jsonl"), [], tmp_path)
    assert "2 not run, 1 needs a model" in markdown.read_text()


def test_plan_and_page_as_commands(recipes, whole, tmp_path):
    planned = call("plan", "--recipes", str(recipes), "--out", str(whole), "--claims", "C1", "--seeds", "3", "--json")
    found = json.loads(planned.output)
    assert (found["runs"], found["done"]) == (6, 4)
    assert found["cpu_s"] > 0
    assert call("plan", "--claims", "Z9").exit_code == 2
    missing = call("page", "--results", str(tmp_path / "absent.jsonl"))
    assert missing.exit_code == 2
    assert "absent.jsonl" in missing.output
    results = str(whole / "results.jsonl")
    assert call("page", "--recipes", str(recipes), "--results", results, "--out", str(tmp_path)).exit_code == 0
    assert (tmp_path / "insights_curves.html").is_file()


@pytest.mark.parametrize("change", [lambda points: points.pop(), lambda points: points[1].pop("long")])
def test_a_run_with_other_points_than_its_arm_is_named(recipes, whole, tmp_path, change):
    lines = [json.loads(line) for line in (whole / "results.jsonl").read_text().splitlines()]
    change(lines[0]["points"])
    sent = tmp_path / "sent.jsonl"
    sent.write_text("".join(json.dumps(line) + "\n" for line in lines))
    shown = call("page", "--recipes", str(recipes), "--results", str(sent), "--out", str(tmp_path))
    assert shown.exit_code == 2
    assert "sent.jsonl: the run " in shown.output and "lacks measures" in shown.output


def test_claims_and_seeds_out_of_order_are_refused():
    assert "C1 comes before C6: write C1-C6" in call("plan", "--claims", "C6-C1").output
    assert call("plan", "--claims", "K1", "--seeds", "99999999").exit_code == 2


def _in_session(session: int) -> list[str]:
    """Processes of a session that are not zombies."""
    found = []
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            state, _, _, of = Path("/proc", process, "stat").read_text().rpartition(")")[2].split()[:4]
        except OSError:
            continue
        if int(of) == session and state != "Z":
            found.append(process)
    return found
