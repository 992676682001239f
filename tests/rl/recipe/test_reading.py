"""Recipes: presets, extends, overrides, and errors that say which key and which one was meant."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from microcoder_eval import InputError
from microcoder_rl.recipe import build_config, differences, load_recipe, plain
from microcoder_rl.recipe.config import Config
from microcoder_rl.recipe.datasets import missing_dataset, recipe_datasets

pytestmark = pytest.mark.fast

SHIPPED = sorted(Path("pipelines/train").rglob("*.yaml"))


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_every_shipped_recipe_is_valid(path):
    assert load_recipe(path).run.name


def test_no_two_shipped_recipes_write_to_the_same_run_folder():
    assert len({load_recipe(path).run.out for path in SHIPPED}) == len(SHIPPED)


def test_algorithms_are_presets_under_what_the_recipe_writes():
    assert build_config({}).truncation.share == 0.2
    assert build_config({"algorithm": "dapo"}).truncation.share == 0.0
    assert build_config({"algorithm": "grpo"}).loss.clip_high == 0.2
    assert build_config({"algorithm": "grpo", "loss": {"clip_high": 0.3}}).loss.clip_high == 0.3
    assert build_config({"algorithm": "gspo"}).loss.ratio == "sequence"
    assert build_config({"algorithm": "gspo"}).loss.old_logprobs == "recomputed"


def test_the_correction_is_on_where_sampler_and_trainer_differ():
    assert build_config({}).correction == "off"
    assert build_config({"model": {"dtype": "bfloat16"}}).correction == "token"
    assert build_config({"rollout": {"engine": "vllm"}}).correction == "token"
    chosen = {"rollout": {"engine": "vllm"}, "loss": {"correction": "sequence_mask"}}
    assert build_config(chosen).correction == "sequence_mask"


def test_the_guide_says_of_each_figure_which_recipes_are_its():
    guide = Path("docs/reproducing.md").read_text(encoding="utf-8")
    table = guide.partition("What the paper says of each")[2].partition("\n\nWhere")[0]
    places = re.findall(r"^\| (.+?) \|", table, re.MULTILINE)
    figures = [number for place in places if place.startswith("Figure") for number in re.findall(r"\d", place)]
    assert sorted(figures) == list("123456789")
    assert {"Table 1", "Eq. 1", "section 5, defaults", "section 6"} <= set(places)


def test_the_recipes_of_the_analyses_train_with_dapo_as_the_paper_says():
    own = {"microcoder_grpo": ("table1", "tiny", "smollm2"), "grpo": ("table1", "kl_and_clip/kl-symmetric")}
    own |= dict.fromkeys(
        ("rloo", "cispo", "gppo", "ppo", "reinforce", "reinforce_pp", "reinforce_pp_baseline"), ("related",)
    )
    for path in SHIPPED:
        config, place = load_recipe(path), path.relative_to("pipelines/train").as_posix()
        assert config.algorithm == "dapo" or place.startswith(own[config.algorithm]), place
        masks = place.startswith("mask/") or config.algorithm == "microcoder_grpo"
        assert masks or config.truncation.share == 0, place
        if place.startswith("temperature/"):
            (test,) = config.evaluate.sets.values()
            assert (config.data.train, test.draw, config.rollout.max_tokens) == ("datasets/olympiccoder", 200, 4096)
        assert ("1.7b" in place) == (config.data.chat.arguments == {"enable_thinking": False}), place


def test_extends_and_overrides(tmp_path):
    (tmp_path / "base.yaml").write_text("run: {steps: 7, seed: 1}\noptimizer: {lr: 1e-6}\n")
    (tmp_path / "child.yaml").write_text("extends: base.yaml\nrun: {seed: 2}\n")
    stages = ["temperature.mode=staged", "temperature.stages=[[0, 0.6], [140, 1.2]]"]
    config = load_recipe(tmp_path / "child.yaml", ["optimizer.lr=2e-5", *stages])
    assert (config.run.steps, config.run.seed, config.run.name) == (7, 2, "child")
    assert config.optimizer.lr == 2e-5 and config.temperature.stages == ((0, 0.6), (140, 1.2))
    assert build_config(plain(config)) == config


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ({"loss": {"clip_hihg": 0.3}}, ["my.yaml.loss: unknown key 'clip_hihg'", "did you mean 'clip_high'"]),
        ({"rollouts": {}}, ["unknown key 'rollouts'", "did you mean 'rollout'"]),
        ({"run": {"steps": "many"}}, ["run.steps", "whole number", "many"]),
        ({"run": {"steps": 1.5}}, ["run.steps", "whole number"]),
        ({"run": {"steps": True}}, ["run.steps"]),
        ({"model": {"compile": "yes"}}, ["model.compile", "true or false"]),
        ({"run": {"seed": 1 << 64}}, ["run.seed", "below 1e+18"]),
        ({"rollout": {"max_tokens_stages": [[0, 2.5]]}}, ["max_tokens_stages", "whole number", "2.5"]),
        ({"temperature": {"mode": "selected", "grid": []}}, ["temperature.grid is empty"]),
        ({"advantage": {"overlong_buffer": 9000}}, ["longer than rollout.max_tokens (8192)"]),
        (
            {"advantage": {"overlong_buffer": 900}, "rollout": {"max_tokens_stages": [[0, 512], [9, 2048]]}},
            ["longer than a limit of rollout.max_tokens_stages (512)"],
        ),
        ({"run": 3}, ["my.yaml.run: expected keys and values, got 3"]),
        ({"algorithm": "a2c"}, ["algorithm", "microcoder_grpo"]),
        ({"batch": {"prompts": 10, "minibatch": 4}}, ["multiple"]),
        ({"temperature": {"mode": "staged", "stages": [[n, 1 + n / 10] for n in range(4)]}}, ["allow_continuous"]),
        ({"temperature": {"stages": [[0, 0.6], [140, 1.2]]}}, ["temperature.stages needs temperature.mode=staged"]),
        ({"temperature": {"stages": [[5, 1.0]]}}, ["temperature.stages", "step 0"]),
        ({"temperature": {"value": 0}}, ["temperature.value", "from 1e-30"]),
        ({"temperature": {"stages": [[0, 1.0, 2]]}}, ["temperature.stages", "2 values"]),
        ({"data": {"train": "tiny"}}, ["tiny"]),
        ({"truncation": {"share": 30}}, ["truncation.share"]),
        (
            {"evaluate": {"sets": {"test": {"dat": "x"}}}},
            ["evaluate.sets.test: unknown key 'dat'", "did you mean 'data'"],
        ),
    ],
)
def test_mistakes_are_one_clear_line(written, words):
    with pytest.raises(InputError) as caught:
        build_config(written, "my.yaml")
    message = str(caught.value)
    assert "\n" not in message and message.startswith("my.yaml")
    assert all(word in message for word in words), message


def test_unreadable_recipes(tmp_path):
    (tmp_path / "loop.yaml").write_text("extends: loop.yaml\n")
    (tmp_path / "list.yaml").write_text("- 1\n")
    (tmp_path / "bad.yaml").write_text("a: [1\n")
    (tmp_path / "empty.yaml").write_text("")
    for name, word in (("loop", "extends itself"), ("list", "mapping"), ("bad", "YAML"), ("none", "no such recipe")):
        with pytest.raises(InputError, match=word):
            load_recipe(tmp_path / f"{name}.yaml")
    with pytest.raises(InputError, match=r"section\.key=value"):
        load_recipe(tmp_path / "empty.yaml", ["seed"])


def test_a_recipe_that_is_not_there_names_the_one_that_is_meant(tmp_path: Path) -> None:
    (tmp_path / "train.yaml").write_text("")
    with pytest.raises(InputError, match=r"trian\.yaml: no such recipe; did you mean '.*/train\.yaml'"):
        load_recipe(tmp_path / "trian.yaml")


def test_differences_name_the_keys():
    ours, theirs = plain(build_config({})), plain(build_config({"loss": {"clip_high": 0.2}}))
    assert differences(ours, theirs) == [("loss.clip_high", 0.28, 0.2)]
    assert str(differences(ours, theirs)[0]) == "loss.clip_high: 0.2 -> 0.28"


def test_shipped_recipes_are_found_from_anywhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert load_recipe("pipelines/train/mask/no_mask.yaml").truncation.share == 0
    with pytest.raises(InputError, match="no such recipe"):
        load_recipe("pipelines/train/nowhere.yaml")


def test_the_default_config_is_the_papers():
    config = Config()
    assert (config.batch.prompts, config.rollout.group, config.optimizer.lr) == (64, 8, 1e-6)
    assert (config.temperature.value, config.rollout.max_tokens) == (1.2, 8192)


def test_an_evaluation_set_without_a_dataset_is_named_by_its_own_key():
    config = load_recipe("pipelines/train/tiny.yaml", ["evaluate.sets.mine=true"])
    without = {key: missing_dataset(path) for key, path in recipe_datasets(config).items() if missing_dataset(path)}
    assert list(without) == ["evaluate.sets.mine.data"] and "no dataset is given" in without["evaluate.sets.mine.data"]


def test_off_needs_no_quotes(tmp_path: Path) -> None:
    recipe = tmp_path / "mine.yaml"
    recipe.write_text("loss: {correction: off}\n")
    assert load_recipe(recipe).loss.correction == "off"
    assert load_recipe(recipe, ["loss.correction=off"]).loss.correction == "off"
    with pytest.raises(InputError, match=r"loss\.kl_estimator: False is not one of k1"):
        load_recipe(recipe, ["loss.kl_estimator=off"])


def test_a_recipe_of_a_dataset_is_told_from_one_that_trains(tmp_path):
    (tmp_path / "recipe.yaml").write_text("name: mine\nsources:\n  - {source: generic, path: mine.jsonl}\n")
    with pytest.raises(InputError, match="`microcoder data build` takes"):
        load_recipe(tmp_path / "recipe.yaml")
