"""`train init` writes a recipe that runs as it is; what a run would refuse is refused at once, with what to do."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from microcoder_eval import InputError
from microcoder_rl.commands import train
from microcoder_rl.plan import choose_device, make_job, make_plan, read_assumptions
from microcoder_rl.plan.advice import advise
from microcoder_rl.recipe import load_recipe
from microcoder_rl.recipe.model_source import refuse_missing_model


def run(*arguments: object) -> Result:
    return CliRunner().invoke(train, list(map(str, arguments)))


def test_the_recipe_fits_its_model_and_data_and_trains_as_it_is(toy: Path, tmp_path: Path) -> None:
    recipe = tmp_path / "my train.yaml"
    shown = run("init", toy / "model", toy / "tasks.jsonl", "--out", recipe, "--gpu", "cpu", "--steps", 1)
    assert shown.exit_code == 0, shown.output
    config = load_recipe(recipe)
    assert config.rollout.max_tokens + config.data.max_prompt_tokens <= 512, "the toy's context"
    assert config.data.train == str(toy / "tasks.jsonl")
    assert f"next: microcoder train run '{recipe}' --dry-run" in shown.output and "a step" in shown.output
    trained = run("run", recipe, "--quiet", "rollout.max_tokens=3", "rollout.group=4", f"run.out={tmp_path / 'run'}")
    assert trained.exit_code == 0, trained.output
    assert "checkpoint: " in trained.output and "microcoder train eval" in trained.output
    assert "microcoder train plot" in trained.output and "compares them" in trained.output
    assert (Path(trained.output.split("checkpoint: ")[1].split()[0]) / "config.json").is_file()


def test_a_dataset_is_built_of_a_file_in_another_format(
    toy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    tasks = [json.loads(line) for line in (toy / "tasks.jsonl").read_text().splitlines()]
    own = [{"slug": task["id"], "body": task["prompt"], "cases": task["tests"]} for task in tasks]
    Path("own.jsonl").write_text("".join(json.dumps(task) + "\n" for task in own))
    shown = run("init", toy / "model", "own.jsonl", "--gpu", "cpu")
    assert shown.exit_code == 0, shown.output
    assert f"datasets/own: {len(own)} of {len(own)} records are kept" in shown.output
    assert load_recipe(Path("train.yaml")).data.train == "datasets/own" and Path("datasets/own.yaml").is_file()
    with Path("datasets/own.yaml").open("a") as rules:
        rules.write("# mine\n")
    assert run("init", toy / "model", "own.jsonl", "--gpu", "cpu", "--force").exit_code == 0
    assert Path("datasets/own.yaml").read_text().endswith("# mine\n"), "its rules are the user's now"
    Path("other").mkdir()
    Path("other/own.jsonl").write_text(Path("own.jsonl").read_text())
    refused = run("init", toy / "model", "other/own.jsonl", "--force")
    assert "the recipe of another file" in str(refused.exception) + refused.output
    Path("folder").mkdir()
    Path("folder/tasks.json").write_text(json.dumps(own))
    assert f"datasets/folder: {len(own)} of {len(own)}" in run("init", toy / "model", "folder", "--force").output
    Path("chats.jsonl").write_text('{"prompt": "Hello", "answer": "Hello!"}\n')
    refused = run("init", toy / "model", "chats.jsonl", "--force")
    assert "which field holds the tests?" in str(refused.exception) + refused.output


@pytest.mark.parametrize(
    ("kind", "out", "said"), [("t5", "t.yaml", "a model of type t5"), ("", "own.jsonl/t.yaml", "")]
)
def test_what_cannot_be_is_refused_before_a_dataset_is_built(
    toy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, out: str, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    task = {"slug": "a", "body": "Print the sum of both.", "cases": [{"input": "1 2", "output": "3"}]}
    Path("own.jsonl").write_text(json.dumps(task) + "\n")
    model = toy / "model"
    if kind:
        model = tmp_path / "model"
        model.mkdir()
        (model / "config.json").write_text(json.dumps({"model_type": kind}))
        (model / "model.safetensors").touch()
    refused = run("init", model, "own.jsonl", "--out", out)
    assert refused.exit_code != 0 and said in str(refused.exception) + refused.output
    assert not Path("datasets").exists() and "building" not in refused.output


def test_a_gpu_gets_other_settings_and_a_held_out_set_is_named(toy: Path, tmp_path: Path) -> None:
    recipe = tmp_path / "big.yaml"
    held_out = toy / "tasks.jsonl"
    shown = run("init", toy / "model", held_out, "--eval", held_out, "--gpu", "H100", "--out", recipe, "--json")
    assert shown.exit_code == 0, shown.output
    result = json.loads(shown.output)
    assert result["plan"]["fits"] and not any("held-out" in note for note in result["notes"])
    config = load_recipe(recipe)
    assert config.model.dtype == "bfloat16" and list(config.evaluate.sets) == ["held_out"]


@pytest.mark.parametrize(
    ("model", "message"),
    [("{toy}/modell", "no such folder"), ("./nowhere/model", "no such folder"), ("{toy}/tasks.jsonl", "is a file")],
)
def test_a_mistyped_model_is_refused_at_once(toy: Path, tmp_path: Path, model: str, message: str) -> None:
    model = model.format(toy=toy)
    begin = time.monotonic()
    shown = run("init", model, toy / "tasks.jsonl", "--out", tmp_path / "r.yaml")
    assert message in str(shown.exception) + shown.output
    with pytest.raises(InputError, match=message):
        refuse_missing_model(model)
    assert time.monotonic() - begin < 60, "no retries"


@pytest.mark.parametrize(
    "arguments",
    [
        ["init", "./nowhere/model", "problems.json"],
        ["run", "r.yaml"],
        ["temperature", "r.yaml"],
        ["eval", "r.yaml", "--model", "./nowhere/model"],
    ],
)
def test_a_missing_model_is_said_before_anything_slow_is_done(tmp_path: Path, arguments: list[str]) -> None:
    """Neither is torch imported, which takes seconds, nor a dataset built of the file."""
    (tmp_path / "problems.json").write_text(
        json.dumps([{"qid": 1, "body": "Add.", "cases": [{"in": "1", "out": "1"}]}])
    )
    (tmp_path / "r.yaml").write_text("model: {path: ./nowhere/model}\ndata: {train: problems.json}\n")
    program = (
        "import sys\nfrom microcoder_rl.commands import train\n"
        "try:\n    train(sys.argv[1:], standalone_mode=False)\n"
        "except Exception as error:\n    print(error, 'torch' in sys.modules)\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program, *arguments], cwd=tmp_path, capture_output=True, text=True, timeout=300
    )
    assert ended.stdout.endswith("nowhere/model: no such folder False\n"), ended.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["problems.json", "r.yaml"]


def test_the_folder_that_was_meant_is_named(toy: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f"did you mean '{toy / 'model'}'"):
        refuse_missing_model(str(toy / "modell"))
    with pytest.raises(InputError, match=f"did you mean '{toy / 'model'}'"):
        refuse_missing_model(str(toy.parent / f"{toy.name}x" / "model"))
    shown = run("init", toy / "model", toy / "task.jsonl", "--out", toy / "never.yaml")
    assert f"did you mean '{toy / 'tasks.jsonl'}'?" in str(shown.exception) + shown.output
    for words in (["nowhere.jsonl"], [toy / "tasks.jsonl", "--eval", "nowhere.jsonl"]):
        shown = run("init", toy / "model", *words, "--out", toy / "never.yaml")
        assert "nowhere.jsonl: no such dataset" in str(shown.exception) + shown.output


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({}, "is not a model folder: it has no config.json"),
        ({"checkpoints/step-000002/config.json": "{}"}, "did you mean '{folder}/checkpoints/step-000002'?"),
        ({"adapter_config.json": "{}", "adapter_model.safetensors": ""}, "merge it into its base model"),
        ({"smol.Q4_1.gguf": "GGUF"}, "cannot be trained: give the model that they were made from"),
        ({"config.json": "{}"}, "has no weights: it needs model.safetensors"),
        (
            {
                "config.json": "{}",
                "model.safetensors.index.json": '{"weight_map": {"a": "1.safetensors", "b": "2.safetensors"}}',
                "1.safetensors": "",
            },
            "lacks 1 of its 2 files of weights, such as 2.safetensors: download it again",
        ),
        (
            {"config.json": "{}", "pytorch_model.bin": "version https://git-lfs.github.com/spec/v1\n"},
            "run `git lfs pull`",
        ),
    ],
)
def test_a_folder_that_holds_no_model_is_refused_with_what_to_give(
    tmp_path: Path, files: dict[str, str], said: str
) -> None:
    folder = tmp_path / "given"
    folder.mkdir()
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    recipe = tmp_path / "train.yaml"
    recipe.write_text(f"model: {{path: {folder}}}\ndata: {{train: {recipe}}}\n")
    for words in (["init", folder, recipe], ["run", recipe], ["run", recipe, "--dry-run"]):
        shown = run(*words)
        assert said.format(folder=folder) in str(shown.exception) + shown.output


def test_a_model_of_another_type_gets_a_recipe_that_runs(toy: Path, tmp_path: Path) -> None:
    """Gemma's attention has a window, with which one layout of the update is wrong."""
    from transformers import AutoTokenizer, Gemma3ForCausalLM, Gemma3TextConfig

    tokenizer = AutoTokenizer.from_pretrained(toy / "model")
    sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 1, "head_dim": 16, "sliding_window": 8}
    heads = {"num_attention_heads": 2, "num_key_value_heads": 1, "max_position_embeddings": 512}
    ends = {"eos_token_id": tokenizer.eos_token_id, "pad_token_id": tokenizer.pad_token_id, "bos_token_id": None}
    config = Gemma3TextConfig(vocab_size=len(tokenizer), **sizes, **heads, **ends)
    Gemma3ForCausalLM(config).save_pretrained(tmp_path / "model")
    tokenizer.save_pretrained(tmp_path / "model")
    recipe = tmp_path / "train.yaml"
    arguments = ("--out", recipe, "--gpu", "cpu", "--steps", 1)
    shown = run("init", tmp_path / "model", toy / "tasks.jsonl", *arguments)
    assert shown.exit_code == 0, shown.output
    assert "note: memory and time are rough: a model of type gemma3_text is taken for a Llama" in shown.output
    small = ("rollout.max_tokens=3", "rollout.group=4", "evaluate.at_start=false", f"run.out={tmp_path / 'run'}")
    for words in (["plan"], ["run"], ["run", "--dry-run"]):
        shown = run(*words, recipe, "batch.layout=shared", *small)
        said = " ".join((str(shown.exception) + shown.output).split())
        assert "a window (8 tokens here" in said and ": batch.layout=padded" in said
    trained = run("run", recipe, "--quiet", *small)
    assert trained.exit_code == 0, trained.output


def test_plan_and_dry_run_say_that_a_dataset_is_missing(toy: Path, tmp_path: Path) -> None:
    recipe = tmp_path / "train.yaml"
    assert run("init", toy / "model", toy / "tasks.jsonl", "--out", recipe).exit_code == 0
    for words in (["plan", recipe], ["run", recipe, "--dry-run", "run.threads=1"]):
        shown = run(*words, f"data.train={toy / 'task.jsonl'}")
        said = " ".join(shown.output.split())
        assert shown.exit_code == 0 and "no such dataset folder or file; did you mean" in said
        assert "evaluate.sets.train.data: no such" not in said, "this one is there"
    shown = run("run", recipe, f"data.train={toy / 'task.jsonl'}", f"run.out={tmp_path / 'run'}")
    assert "no such dataset folder or file; did you mean" in str(shown.exception) + shown.output


def test_a_hub_name_without_a_hub_fails_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    with pytest.raises(InputError, match=r"HF_HUB_OFFLINE is set.*give its folder"):
        refuse_missing_model("acme/not-a-model")
    refuse_missing_model("acme/not-a-model", hub=False)


def test_dry_run_refuses_what_the_run_would(toy: Path, tmp_path: Path) -> None:
    recipe = tmp_path / "train.yaml"
    assert run("init", toy / "model", toy / "tasks.jsonl", "--out", recipe, "--gpu", "cpu").exit_code == 0
    for change, message in (("model.path=./nowhere", "no such folder"), ("rollout.max_tokens=600", "context of 512")):
        shown = run("run", recipe, "--dry-run", change)
        assert message in str(shown.exception) + shown.output


def test_advice_shortens_replies_that_are_too_long_for_context_or_memory(toy: Path, tmp_path: Path) -> None:
    recipe = tmp_path / "train.yaml"
    assert run("init", toy / "model", toy / "tasks.jsonl", "--out", recipe, "--gpu", "cpu").exit_code == 0
    config = load_recipe(recipe, ["rollout.max_tokens=4096"])
    planned = make_plan(make_job(config, choose_device(config, "cpu", "", None), 1, read_assumptions([])))
    assert any("context of 512" in problem for problem in planned.problems)
    advice = advise(planned)
    assert advice is not None and advice.plan.problems == []
    assert ("rollout", "max_tokens") in [change.what for change in advice.changes]


def test_a_recipe_is_not_replaced(toy: Path, tmp_path: Path) -> None:
    recipe = tmp_path / "train.yaml"
    recipe.write_text("mine")
    shown = run("init", toy / "model", toy / "tasks.jsonl", "--out", recipe)
    assert shown.exit_code != 0 and recipe.read_text() == "mine"
