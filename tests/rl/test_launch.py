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

pytest.importorskip("torch")

from microcoder_rl.commands import train
from microcoder_rl.recipe import load_recipe
from microcoder_rl.report.run_log import read_jsonl
from tests.rl.toys import toy_recipe

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


def test_one_node_runs_two_ranks_and_goes_on(toy, tmp_path):
    recipe = tmp_path / "toy.yaml"
    recipe.write_text(yaml.safe_dump(toy_recipe(toy, tmp_path / "run", run={"steps": 1}, evaluate={"every": 0})))
    begun = CliRunner().invoke(train, ["run", str(recipe), "--quiet"])
    assert begun.exit_code == 0, begun.output
    environment = {"GPUS": "2", "RECIPE": str(recipe), "OMP_NUM_THREADS": "1"}
    goes_on = run_script("one_node.sh", "run.steps=2", **environment)  # --resume
    assert goes_on.returncode == 0, goes_on.stderr
    assert [record["step"] for record in read_jsonl(tmp_path / "run" / "metrics.jsonl")] == [1, 2]


def test_the_other_launchers_hand_over_what_they_were_given(tmp_path):
    """Scripts replace the programs of a cluster and write down how they are called."""
    for program, prints in {"srun": 'exec "${@:2}"', "scontrol": "echo node-1; echo node-2", "ray": None}.items():
        file = tmp_path / program
        body = prints or f'echo "$@" > {tmp_path}/ray.txt'
        file.write_text(f"#!/usr/bin/env bash\n{body}\n")
        file.chmod(0o755)
    (tmp_path / "torchrun").write_text(f'#!/usr/bin/env bash\necho "$@" > {tmp_path}/torchrun.txt\n')
    (tmp_path / "torchrun").chmod(0o755)
    slurm = {"SLURM_JOB_NUM_NODES": "2", "SLURM_GPUS_ON_NODE": "4", "SLURM_JOB_NODELIST": "n", "SLURM_JOB_ID": "7"}
    path = f"{tmp_path}:{os.environ['PATH']}"
    for file in ("slurm.sbatch", "ray_job.sh"):
        done = subprocess.run(
            ["bash", f"pipelines/launch/{file}", "run.steps=5"],
            env={**os.environ, **slurm, "PATH": path},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
    started = (tmp_path / "torchrun.txt").read_text()
    assert "--nnodes 2 --nproc-per-node 4" in started and "--rdzv-endpoint node-1:20007" in started
    assert "run.steps=5" in started and "--no-python microcoder train run" in started
    submitted = (tmp_path / "ray.txt").read_text()
    assert "--entrypoint-num-gpus 8" in submitted and "one_node.sh run.steps=5" in submitted
