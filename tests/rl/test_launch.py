"""The scripts of pipelines/launch/: they parse, what they name exists and fits, and two ranks really run."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

torch = pytest.importorskip("torch")
from safetensors.torch import load_file  # noqa: E402

from microcoder_rl.commands import train  # noqa: E402
from microcoder_rl.recipe import build_config, load_recipe  # noqa: E402
from microcoder_rl.report.run_log import read_jsonl  # noqa: E402
from microcoder_rl.run import train as train_recipe  # noqa: E402
from tests.rl.toys import quiet, toy_recipe  # noqa: E402

SCRIPTS = sorted(Path("pipelines/launch").iterdir())
GPUS = {"single_gpu": 1, "one_node": 8, "several_nodes": 16, "ray_job": 8, "vllm_server": 4}
"""GPUs of the trainer that each script starts by default."""
FOR_THE_SERVER = ["vllm.devices=4,5,6,7", "vllm.tensor_parallel=4"]


def script(name):
    return Path(f"pipelines/launch/{name}.sh").read_text()


def keys_of(text):
    """The recipe keys that a script sets to a fixed value (shell variables left out)."""
    return re.findall(r"(?<![\w.#])\"?([a-z]+\.[a-z_]+=[\w./-]+)", without_comments(text))


def without_comments(text):
    return "\n".join(line for line in text.splitlines() if not line.startswith("#"))


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_every_script_is_read_by_the_shell(path):
    subprocess.run(["bash", "-n", str(path)], check=True)
    if shutil.which("shellcheck"):
        subprocess.run(["shellcheck", str(path)], check=True)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_recipes_and_scripts_that_are_named_are_there(path):
    named = re.findall(r"pipelines/[\w./-]+", path.read_text())
    assert named and all(Path(name.rstrip(".")).exists() for name in named), named


@pytest.mark.parametrize("name", GPUS)
def test_the_default_recipe_fits_the_gpus_that_a_script_is_for(name):
    text = script(name)
    recipe = re.search(r"RECIPE=\$\{RECIPE:-(\S+)\}", text)[1]
    keys = [*keys_of(text), *(FOR_THE_SERVER if name == "vllm_server" else [])]
    load_recipe(recipe, keys)
    arguments = ["plan", recipe, *keys, "--gpus", str(GPUS[name]), "--gpu-memory", "80GB", "--json"]
    result = CliRunner().invoke(train, arguments)
    assert result.exit_code == 0, result.output
    assert json.loads(result.output)["fits"]


def run_script(name, *arguments, **environment):
    """Run a script of ours as a user would, with this environment's programs in front."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    return subprocess.run(
        ["bash", f"pipelines/launch/{name}", *arguments],
        env={**os.environ, "PATH": path, **environment},
        capture_output=True,
        text=True,
    )


@pytest.mark.slow  # what it hands to torchrun is below, ranks are in test_distributed.py, their adapters with vLLM
def test_two_ranks_of_one_node_go_on_as_one_process_does(toy, tmp_path):
    """With what several ranks must do besides: an adapter, a reference, and activations computed twice."""
    pytest.importorskip("peft")
    changes = {
        "algorithm": "grpo",
        "model": {"lora": {"rank": 8, "alpha": 16}, "gradient_checkpointing": True},
        "batch": {"layout": "padded"},
        "optimizer": {"lr": 0.02},
        "evaluate": {"every": 0},
    }

    def recipe(steps, out="run"):
        return toy_recipe(toy, tmp_path / out, run={"steps": steps}, **changes)

    train_recipe(build_config(recipe(1)), notify=quiet)
    path = tmp_path / "toy.yaml"
    path.write_text(yaml.safe_dump(recipe(1)))
    environment = {"GPUS": "2", "RECIPE": str(path), "OMP_NUM_THREADS": "1"}
    goes_on = run_script("one_node.sh", "run.steps=3", **environment)  # --resume
    assert goes_on.returncode == 0, goes_on.stderr
    train_recipe(build_config(recipe(3, "alone")), notify=quiet)
    both, alone = (read_jsonl(tmp_path / out / "metrics.jsonl") for out in ("run", "alone"))
    assert [record["step"] for record in both] == [1, 2, 3]
    assert [record["loss"] for record in both] == pytest.approx([record["loss"] for record in alone], abs=1e-6)
    last = "checkpoints/step-000003/model.safetensors"
    ours, theirs = (load_file(tmp_path / out / last) for out in ("run", "alone"))
    assert set(ours) == set(theirs)
    assert all(torch.allclose(ours[name], theirs[name], atol=1e-4) for name in ours)


def test_the_launchers_hand_over_what_they_were_given(tmp_path):
    """Scripts replace the programs of a cluster and write down how they are called."""
    for program, prints in {"srun": 'exec "${@:2}"', "scontrol": "echo node-1; echo node-2", "ray": None}.items():
        file = tmp_path / program
        body = prints or f'echo "$@" > {tmp_path}/ray.txt'
        file.write_text(f"#!/usr/bin/env bash\n{body}\n")
        file.chmod(0o755)
    (tmp_path / "torchrun").write_text(f'#!/usr/bin/env bash\necho "$@" >> {tmp_path}/torchrun.txt\n')
    (tmp_path / "torchrun").chmod(0o755)
    slurm = {"SLURM_JOB_NUM_NODES": "2", "SLURM_GPUS_ON_NODE": "4", "SLURM_JOB_NODELIST": "n", "SLURM_JOB_ID": "7"}
    path = f"{tmp_path}:{os.environ['PATH']}"
    for file in ("one_node.sh", "slurm.sbatch", "ray_job.sh"):
        done = subprocess.run(
            ["bash", f"pipelines/launch/{file}", "run.steps=5"],
            env={**os.environ, **slurm, "PATH": path},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
    alone, started = (tmp_path / "torchrun.txt").read_text().splitlines()
    assert "--standalone --nproc-per-node 8 --no-python microcoder train run" in alone and "run.steps=5" in alone
    assert "--nnodes 2 --nproc-per-node 4" in started and "--rdzv-endpoint node-1:20007" in started
    assert "run.steps=5" in started and "--no-python microcoder train run" in started
    submitted = (tmp_path / "ray.txt").read_text()
    assert "--entrypoint-num-gpus 8" in submitted and "one_node.sh run.steps=5" in submitted
