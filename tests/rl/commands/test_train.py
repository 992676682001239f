"""The command line: run, temperature, plot, eval; and mistakes as one line."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
import yaml
from click.testing import CliRunner

pytest.importorskip("torch")

from microcoder_data.lock import exclusive
from microcoder_eval import InputError
from microcoder_rl.commands import train
from microcoder_rl.recipe import load_recipe
from microcoder_rl.report.terminal import sparkline
from microcoder_rl.run import train as train_recipe
from tests.rl.toys import toy_recipe


@pytest.fixture(scope="module")
def finished(toy, tmp_path_factory):
    """A recipe file and its finished run."""
    folder = tmp_path_factory.mktemp("cli")
    recipe = toy_recipe(toy, folder / "run", run={"steps": 3}, rollout={"max_tokens": 9})
    (folder / "toy.yaml").write_text(yaml.safe_dump(recipe))
    result = invoke("run", folder / "toy.yaml")
    assert result.exit_code == 0, result.output
    return folder, result.output


def invoke(*arguments):
    return CliRunner().invoke(train, [str(argument) for argument in arguments])


def test_run_prints_a_line_a_step_and_what_came_out(finished):
    _, output = finished
    assert all(f"step {step}/3: reward" in output for step in (1, 2, 3))
    assert "test: last" in output and "mean_of_last_5" in output and "run folder:" in output


def test_temperature_prints_the_sweep_and_the_choice(finished):
    folder, _ = finished
    out = folder / "sweep.html"
    result = invoke(
        "temperature", folder / "toy.yaml", "temperature.grid=[0.5, 1.0]", "temperature.probes=2", "--out", out
    )
    assert result.exit_code == 0, result.output
    assert "→" in result.output and "T = " in result.output and "diversity" in result.output
    assert "<svg" in out.read_text()


@pytest.mark.slow  # the evaluations of two ranks that train are in test_distributed.py
def test_two_ranks_divide_an_evaluation_and_one_of_them_speaks(finished):
    folder, _ = finished
    torchrun = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2", "-m", "cli"]
    both = subprocess.run([*torchrun, "train", "eval", folder / "toy.yaml", "--json"], capture_output=True, text=True)
    assert both.returncode == 0, both.stderr
    alone = invoke("eval", folder / "toy.yaml", "--json")
    (ours,), (theirs,) = (json.loads(output)["evaluations"] for output in (both.stdout, alone.stdout))
    assert {**ours, "seconds": 0} == {**theirs, "seconds": 0}


def test_results_come_as_json_for_machines(finished):
    folder, _ = finished
    swept = invoke("temperature", folder / "toy.yaml", "temperature.grid=[0.8, 1.2]", "temperature.probes=4", "--json")
    assert swept.exit_code == 0, swept.output
    assert [point["temperature"] for point in json.loads(swept.stdout)["points"]] == [0.8, 1.2]
    model = next((folder / "run" / "checkpoints").glob("step-*"))
    evaluated = invoke("eval", folder / "toy.yaml", "--model", model, "--json")
    assert {"set", "accuracy", "table"} <= json.loads(evaluated.stdout)["evaluations"][0].keys()
    again = invoke("run", folder / "toy.yaml", f"run.out={folder / 'again'}", "run.steps=1", "--quiet", "--json")
    assert again.exit_code == 0, again.output
    assert json.loads(again.stdout)["run_folder"] == str(folder / "again") and again.stderr == ""


def test_plot_draws_png_and_html(finished):
    folder, _ = finished
    assert invoke("plot", folder / "run", folder / "run", "--out", folder / "a.png").exit_code == 0
    assert (folder / "a.png").read_bytes().startswith(b"\x89PNG")
    assert invoke("plot", folder / "run", "--smooth", "2", "--out", folder / "a.html").exit_code == 0
    page = (folder / "a.html").read_text()
    assert page.startswith("<!doctype html>") and "Critic reward" in page and "<polyline" in page
    assert "default-src &#x27;none&#x27;" in page, "a page loads nothing from the network"


def test_eval_prints_the_papers_table(finished):
    folder, _ = finished
    checkpoint = folder / "run" / "checkpoints" / "step-000003"
    result = invoke("eval", folder / "toy.yaml", "--model", checkpoint, "--out", folder / "eval.json")
    assert result.exit_code == 0, result.output
    assert all(word in result.output for word in ("AtCoder", "LeetCode", "easy", "hard", "All", "avg@2"))
    (record,) = json.loads((folder / "eval.json").read_text())
    rows = record["table"]
    assert record["accuracy"] == pytest.approx((rows["AtCoder"]["All"] + rows["LeetCode"]["All"]) / 2)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["run", "nowhere.yaml"], "nowhere.yaml: no such recipe"),
        (["run", "RECIPE", "loss.clip_hi=1"], "did you mean 'clip_high'?"),
        (["run", "RECIPE"], "already holds a run"),
        (["run", "RECIPE", "--resume", "loss.clip_high=0.5"], "another recipe"),
        (["run", "RECIPE", "model.path=./nowhere"], "no such folder"),
        (["eval", "RECIPE", "evaluate.sets.test.data=nowhere"], "no such dataset"),
        (["plot", "nowhere", "--out", "a.png"], "no such folder"),
        (["plot", "/usr", "--out", "a.png"], "no metrics.jsonl"),
        (["plot", "RUN", "--out", "a.pdf"], ".png or .html"),
        (["temperature", "RECIPE", "model.path=./nowhere", "--out", "no/such/folder.png"], "does not exist"),
    ],
)
def test_mistakes_are_one_line_and_a_status(finished, arguments, words, monkeypatch):
    folder, _ = finished
    monkeypatch.chdir(folder)
    if "model.path=./nowhere" in arguments:
        arguments = [*arguments, "run.out=other"]
    result = invoke(*({"RECIPE": "toy.yaml", "RUN": "run"}.get(argument, argument) for argument in arguments))
    assert result.exit_code == 2
    assert words in result.output and "Traceback" not in result.output
    assert result.output.count("\n") == 1, result.output


def test_a_folder_with_a_run_is_refused_before_anything_is_prepared(tmp_path):
    (tmp_path / "metrics.jsonl").write_text("")
    result = invoke("run", "pipelines/train/tiny.yaml", f"run.out={tmp_path}", f"tiny.cache={tmp_path / 'world'}")
    assert result.exit_code == 2 and "already holds a run" in result.output
    assert result.output.count("\n") == 1 and not (tmp_path / "world").exists(), "no warm-up of a minute"


def test_two_runs_in_one_folder_are_refused(finished):
    folder, _ = finished
    with exclusive(folder / "busy"):
        result = invoke("run", folder / "toy.yaml", f"run.out={folder / 'busy'}", "--quiet")
    assert result.exit_code == 2 and "is writing into this directory" in result.output, result.output
    assert [path.name for path in (folder / "busy").iterdir()] == [".lock"], "nothing of the first run is touched"
    config = load_recipe(folder / "toy.yaml", [f"run.out={folder / 'busy'}"])
    with exclusive(folder / "busy"), pytest.raises(InputError, match="is writing into this directory"):
        train_recipe(config)


def test_sparkline():
    assert sparkline([], 5) == "" and sparkline([1.0, float("nan"), 2.0], 5) == "▁ █"
    assert len(sparkline(list(range(1000)), 48)) <= 48


def test_the_live_view_shows_curves_times_and_the_table(finished):
    from io import StringIO

    from rich.console import Console

    from microcoder_rl.recipe.config import RunConfig
    from microcoder_rl.report.run_log import read_jsonl
    from microcoder_rl.report.terminal import View

    folder, _ = finished
    screen = StringIO()
    console = Console(file=screen, force_terminal=True, width=120)
    with View(console, RunConfig(name="toy", steps=3), live=True) as view:
        for record in read_jsonl(folder / "run" / "metrics.jsonl"):
            view.show(record, read_jsonl(folder / "run" / "evals.jsonl")[-1:])
    shown = screen.getvalue()
    for words in ("critic reward", "diversity", "sampling", "grading hidden", "toy: step 3 of 3", "AtCoder"):
        assert words in shown
