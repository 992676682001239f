"""The whole loop with a real model and the real grader: learning, resuming, and everything that can go wrong."""

from __future__ import annotations

import json
import math
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from statistics import fmean

import pytest

torch = pytest.importorskip("torch")
import yaml  # noqa: E402

from microcoder_eval import InputError, Problem, Submission, Verdict  # noqa: E402
from microcoder_eval.connection.step_grades import is_cut  # noqa: E402
from microcoder_rl.recipe import build_config  # noqa: E402
from microcoder_rl.report.run_log import read_jsonl  # noqa: E402
from microcoder_rl.run import open_parts, train  # noqa: E402
from microcoder_rl.trainer import Trainer, TrainingError  # noqa: E402
from tests.rl.toys import evaluations_of, quiet, steps_of, toy_recipe, weights_of  # noqa: E402


@pytest.fixture(scope="module")
def undisturbed(toy, tmp_path_factory):
    out = tmp_path_factory.mktemp("runs") / "undisturbed"
    train(build_config(toy_recipe(toy, out)), notify=quiet)
    return out


def test_training_raises_the_reward(toy, tmp_path):
    summary = train(build_config(toy_recipe(toy, tmp_path / "run", run={"steps": 25})), notify=quiet)
    rewards = [record["reward"] for record in steps_of(tmp_path / "run")]
    assert sum(rewards[-5:]) > sum(rewards[:5]) + 1.5
    first = evaluations_of(tmp_path / "run")[0]
    assert first["step"] == 0 and summary["test"]["best"] > first["accuracy"] + 0.3


def test_a_run_writes_what_it_promises(undisturbed):
    records = steps_of(undisturbed)
    assert [record["step"] for record in records] == [1, 2, 3, 4, 5, 6]
    assert records[0]["prompts"] == 4 and 0 < records[0]["reward"] < 1
    gaps = [record["gap_max"] for record in records if record["gap_max"] is not None]
    assert gaps and max(gaps) <= 1e-5
    assert [record["step"] for record in evaluations_of(undisturbed)] == [0, 3, 6]
    assert set(evaluations_of(undisturbed)[0]["table"]) == {"AtCoder", "LeetCode", "All"}
    answers = [line for line in read_jsonl(undisturbed / "answers.jsonl") if line["step"] == 6]
    assert fmean(line["accuracy"] for line in answers) == pytest.approx(evaluations_of(undisturbed)[-1]["accuracy"])
    assert all(len(line["verdicts"]) == 2 and {"prompt", "reply"} <= set(line) for line in answers)
    sample = read_jsonl(undisturbed / "samples.jsonl")[0]
    assert {"prompt", "reply", "verdict", "rungs", "advantage", "mask", "finish", "temperature"} <= set(sample)
    kept = {path.name for path in (undisturbed / "checkpoints").iterdir()}
    assert {"step-000004", "step-000006"} <= kept and len(kept) <= 3


def test_a_checkpoint_is_a_plain_model_folder(undisturbed):
    from transformers import AutoModelForCausalLM, AutoTokenizer

    folder = undisturbed / "checkpoints" / "step-000006"
    model = AutoModelForCausalLM.from_pretrained(folder)
    assert AutoTokenizer.from_pretrained(folder).eos_token == "<end>"
    assert torch.equal(model.state_dict()["model.norm.weight"], weights_of(folder)["model.norm.weight"])


@pytest.mark.parametrize("stop", [2, 4])
def test_resuming_gives_the_same_run_bit_for_bit(toy, undisturbed, tmp_path, stop):
    out = tmp_path / "run"
    train(build_config(toy_recipe(toy, out, run={"steps": stop})), notify=quiet)
    train(build_config(toy_recipe(toy, out)), resume=True, notify=quiet)
    assert steps_of(out) == steps_of(undisturbed)
    found, expected = (weights_of(folder / "checkpoints" / "step-000006") for folder in (out, undisturbed))
    assert all(torch.equal(found[name], expected[name]) for name in expected)


def start(recipe_file, *flags):
    code = "from microcoder_rl.commands import train; train(prog_name='train')"
    command = [sys.executable, "-c", code, "run", str(recipe_file), *flags]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


@pytest.mark.parametrize("kills", [1, pytest.param(3, marks=pytest.mark.slow)])  # torch takes long to start
def test_killing_it_at_any_moment_and_resuming_gives_the_same_run(toy, undisturbed, tmp_path, kills):
    recipe = toy_recipe(toy, tmp_path / "run", checkpoint={"every": 1})
    (tmp_path / "toy.yaml").write_text(yaml.safe_dump(recipe))
    rng = random.Random(0)
    for _ in range(kills):
        process = start(tmp_path / "toy.yaml", "--resume")
        seen = len(read_jsonl(tmp_path / "run" / "metrics.jsonl"))
        while process.poll() is None:
            if len(read_jsonl(tmp_path / "run" / "metrics.jsonl")) > seen:
                time.sleep(rng.random() * 0.2)
                break
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        process.communicate()
    train(build_config(recipe), resume=True, notify=quiet)
    assert steps_of(tmp_path / "run") == steps_of(undisturbed)
    assert evaluations_of(tmp_path / "run") == evaluations_of(undisturbed)
    found, expected = (weights_of(f / "checkpoints" / "step-000006") for f in (tmp_path / "run", undisturbed))
    assert all(torch.equal(found[name], expected[name]) for name in expected)


@pytest.mark.parametrize("temperature", [0.6, 1.2, 1.8])
def test_the_first_updates_ratio_is_exactly_one(toy, tmp_path, temperature):
    recipe = toy_recipe(toy, tmp_path, temperature={"value": temperature}, batch={"minibatch": 4})
    with open_parts(build_config(recipe), quiet) as parts:
        metrics = Trainer(parts.config, parts.policy, parts.engine, parts.grader, parts.train).train_step()
    assert metrics["ratio"] == 1.0 and metrics["clip_share"] == 0.0 and metrics["gap_max"] <= 1e-5


@pytest.mark.parametrize(
    "changes",
    [
        {"algorithm": "grpo"},
        {"algorithm": "dr_grpo"},
        {"algorithm": "gspo"},
        {"algorithm": "rloo"},
        {"algorithm": "cispo", "reward": {"kind": "outcomes"}},
        {"algorithm": "gppo", "reward": {"kind": "adaptive", "cost": 0.1, "repetition": 0.1}},
        {"algorithm": "dapo", "batch": {"dynamic_sampling": True}, "advantage": {"overlong_buffer": 1}},
        {"loss": {"old_logprobs": "recomputed", "correction": "token", "denominator": "active", "dual_clip": 3.0}},
        {"temperature": {"mode": "staged", "stages": [[0, 0.8], [2, 1.4]]}},
        {"temperature": {"mode": "selected", "grid": [0.5, 1.5], "probes": 3}, "rollout": {"max_tokens": 9}},
        {"rollout": {"max_tokens_stages": [[0, 2], [2, 5]]}, "batch": {"layout": "packed", "micro_tokens": 20}},
        {"model": {"gradient_checkpointing": True}, "batch": {"layout": "padded"}},
        {"model": {"dtype": "bfloat16"}},
    ],
    ids=lambda changes: json.dumps(changes)[:40],
)
def test_every_algorithm_and_option_trains(toy, tmp_path, changes):
    messages = []
    recipe = toy_recipe(toy, tmp_path / "run", run={"steps": 2}, **changes)
    train(build_config(recipe), notify=messages.append)
    first, second = steps_of(tmp_path / "run")
    assert first["grad_norm"] > 0 and second["grad_norm"] > 0
    if changes.get("temperature", {}).get("mode") == "staged":
        assert [first["temperature"], second["temperature"]] == [0.8, 1.4]
    if changes.get("temperature", {}).get("mode") == "selected":
        assert first["temperature"] in (0.5, 1.5) and any("T = " in message for message in messages)
    if "max_tokens_stages" in changes.get("rollout", {}):
        assert [first["max_tokens"], second["max_tokens"]] == [2, 5]
    if changes.get("algorithm") == "grpo":  # the only one with a KL term: the weights have moved by the second step
        assert second["kl"] > 0.0
    else:
        assert first["kl"] == second["kl"] == 0.0


def test_groups_of_equal_reward_are_skipped_and_dynamic_sampling_is_capped(toy, tmp_path):
    hopeless = [
        {"id": f"h{i}", "prompt": "say1", "tests": [{"input": "", "output": "never"}]} for i in range(4)
    ]  # fmt: skip
    (tmp_path / "hopeless.jsonl").write_text("\n".join(map(json.dumps, hopeless)))
    messages = []
    recipe = toy_recipe(
        toy,
        tmp_path / "run",
        run={"steps": 1},
        data={"train": str(tmp_path / "hopeless.jsonl")},
        batch={"dynamic_sampling": True, "dynamic_rounds": 3},
        evaluate={"sets": {}},
    )
    recipe["evaluate"]["sets"] = {}
    train(build_config(recipe), notify=messages.append)
    (record,) = steps_of(tmp_path / "run")
    assert record["prompts"] == 0 and record["prompts_sampled"] == 12 and record["reward"] == 0.0
    assert record["gap"] <= record["gap_max"] <= 1e-5  # the sampler is watched in every step
    assert any("0 of 4 prompts with signal in 3 rounds" in message for message in messages)
    assert any(message.startswith("step 1: no update") for message in messages)
    before, after = weights_of(toy / "model"), weights_of(tmp_path / "run" / "checkpoints" / "step-000001")
    assert all(torch.equal(before[name], after[name]) for name in before)


def test_the_judges_own_failure_is_not_a_wrong_answer(toy, tmp_path):
    broken = {"kind": "python", "code": "defines = no_check = None"}
    problem = {"id": "b", "prompt": "say1", "tests": [{"input": "", "output": "1"}], "checker": broken}
    good = json.loads((toy / "tasks.jsonl").read_text().splitlines()[0])
    (tmp_path / "broken.jsonl").write_text("\n".join(map(json.dumps, [problem, good])))
    recipe = toy_recipe(
        toy, tmp_path / "run", data={"train": str(tmp_path / "broken.jsonl")}, batch={"prompts": 2, "minibatch": 2}
    )
    with open_parts(build_config(recipe), quiet) as parts:
        trainer = Trainer(parts.config, parts.policy, parts.engine, parts.grader, parts.train)
        metrics = trainer.train_step()
    failed = [r for group in trainer.groups for r in group.rollouts if r.grade.verdict is Verdict.JUDGE_ERROR]
    assert failed and metrics["judge_errors"] == len(failed)
    assert all(reply.reward is None and reply.advantage == 0 for reply in failed)
    judged = [r.reward for group in trainer.groups for r in group.rollouts if r.reward is not None]
    assert metrics["reward"] == pytest.approx(sum(judged) / len(judged))


def test_what_a_steps_budget_cuts_has_no_reward_and_is_counted(toy, tmp_path):
    recipe = toy_recipe(toy, tmp_path / "run")
    recipe["grader"] = {**recipe.get("grader", {}), "step_s": 1e-6}
    with open_parts(build_config(recipe), quiet) as parts:
        waits = Problem.from_dict({"id": "p", "time_limit_s": 30.0, "tests": [{"input": "", "output": ""}]})
        parts.grader.submit(waits, Submission("s", "p", code="n = 0\nwhile True: n += 1"))  # keeps the one worker busy
        groups, _ = parts.sampler.sample(parts.train[:2], [("s", 1), ("s", 2)], 8, temperature=1.0, max_tokens=8)
        replies = [rollout for group in groups for rollout in group]
    cut = [reply for reply in replies if is_cut(reply.grade)]
    assert cut and all("grader.step_s" in reply.grade.detail for reply in cut)
    assert [reply.reward is None for reply in replies] == [is_cut(reply.grade) for reply in replies]


def test_an_update_whose_gradient_is_not_finite_is_left_out(toy, tmp_path):
    messages = []
    with open_parts(build_config(toy_recipe(toy, tmp_path / "run")), quiet) as parts:
        trainer = Trainer(parts.config, parts.policy, parts.engine, parts.grader, parts.train, notify=messages.append)
        norm = parts.policy.model.model.norm.weight
        before = norm.detach().clone()
        broken = norm.register_hook(lambda gradient: gradient * float("nan"))
        metrics = trainer.train_step()
        assert torch.equal(norm, before) and metrics["not_finite_updates"] == trainer.state.not_finite_in_row == 2
        assert math.isnan(metrics["grad_norm"])
        broken.remove()
        metrics = trainer.train_step()
        assert not torch.equal(norm, before) and metrics["not_finite_updates"] == trainer.state.not_finite_in_row == 0
    assert [line for line in messages if "This update is left out" in line and "not-finite-step-1-2.pt" in line]
    batch = torch.load(tmp_path / "run" / "not-finite-step-1-1.pt", weights_only=False)
    assert batch and "response_ids" in batch[0]


def test_several_gradients_in_a_row_that_are_not_finite_stop_the_run(toy, tmp_path):
    with open_parts(build_config(toy_recipe(toy, tmp_path / "run")), quiet) as parts:
        trainer = Trainer(parts.config, parts.policy, parts.engine, parts.grader, parts.train, notify=quiet)
        parts.policy.model.model.norm.weight.register_hook(lambda gradient: gradient * float("nan"))
        trainer.train_step()
        with pytest.raises(TrainingError, match=r"not-finite-step-2-3\.pt.*3 times in a row"):
            trainer.train_step()


def test_grading_goes_on_while_sampling_does(toy, tmp_path):
    recipe = toy_recipe(toy, tmp_path / "run", rollout={"rows": 8})
    with open_parts(build_config(recipe), quiet) as parts:
        metrics = Trainer(parts.config, parts.policy, parts.engine, parts.grader, parts.train).train_step()
    assert metrics["time/grading_hidden"] > 0


def test_a_checkpoint_of_another_recipe_is_refused(toy, undisturbed):
    recipe = toy_recipe(toy, undisturbed, loss={"clip_high": 0.4})
    with pytest.raises(InputError, match=r"another recipe.*loss\.clip_high"):
        train(build_config(recipe), resume=True, notify=quiet)
    with pytest.raises(InputError, match="already holds a run"):
        train(build_config(toy_recipe(toy, undisturbed)), notify=quiet)


@pytest.mark.parametrize(
    ("tasks", "words"),
    [
        ([{"id": "a", "prompt": "say1"}], "no tests"),
        ([{"id": "a", "prompt": "say1 " * 600, "tests": [{"input": "", "output": "1"}]}], "tokens exceeds"),
        ([{"id": "a", "prompt": " ", "tests": [{"input": "", "output": "1"}]}], "tokens is empty"),
        ([{"id": "a", "prompt": "say1", "tests": [{"input": "", "output": "1"}]}] * 2, "is there 2 times"),
        ([], "no usable problem"),
        (["x"], "JSON object"),
    ],
)
def test_bad_data_is_one_clear_line(toy, tmp_path, tasks, words):
    (tmp_path / "tasks.jsonl").write_text("\n".join(map(json.dumps, tasks)))
    config = build_config(toy_recipe(toy, tmp_path / "run", data={"train": str(tmp_path / "tasks.jsonl")}))
    with pytest.raises(InputError, match=words) as caught, open_parts(config, quiet):
        pass
    assert "\n" not in str(caught.value)


def test_replies_that_leave_no_room_for_a_prompt(toy, tmp_path):
    config = build_config(toy_recipe(toy, tmp_path / "run", rollout={"max_tokens": 512}))
    with pytest.raises(InputError, match="no room for a prompt"), open_parts(config, quiet):
        pass


@pytest.mark.skipif(os.geteuid() != 0, reason="makes a small file system, which needs root")
def test_a_full_disk_is_one_line_and_leaves_the_last_checkpoint(toy, tmp_path):
    small = tmp_path / "small"
    small.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=700k", "tmpfs", str(small)], capture_output=True).returncode:
        pytest.skip("cannot mount a small file system here")
    try:
        config = build_config(toy_recipe(toy, small / "run", checkpoint={"every": 1, "keep": 50}, run={"steps": 40}))
        with pytest.raises(InputError, match="no space left to save"):
            train(config, notify=quiet)
        kept = sorted((small / "run" / "checkpoints").iterdir())
        assert kept and all(path.name.startswith("step-") for path in kept)
        from transformers import AutoModelForCausalLM

        AutoModelForCausalLM.from_pretrained(shutil.copytree(kept[-1], tmp_path / "copy"))
    finally:
        subprocess.run(["umount", str(small)], check=True)


def test_ctrl_c_while_a_checkpoint_is_written_is_no_error(toy, tmp_path, monkeypatch):
    """torch makes an error of its own of whatever ends a write."""

    def pressed(*arguments, **options):
        raise KeyboardInterrupt

    recipe = toy_recipe(toy, tmp_path / "run", checkpoint={"every": 1}, run={"steps": 2})
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(torch, "save", pressed)
        train(build_config(recipe), notify=quiet)
    train(build_config(recipe), resume=True, notify=quiet)
    assert (tmp_path / "run" / "checkpoints" / "step-000002").exists()


def test_a_grader_that_judges_nothing_stops_the_run(toy, tmp_path):
    broken = {"kind": "python", "code": "no_check = None"}
    problem = {"id": "b", "prompt": "say1", "tests": [{"input": "", "output": "1"}], "checker": broken}
    (tmp_path / "broken.jsonl").write_text(json.dumps(problem))
    recipe = toy_recipe(
        toy,
        tmp_path / "run",
        data={"train": str(tmp_path / "broken.jsonl")},
        rollout={"max_tokens": 40},
        temperature={"value": 0.05},
        batch={"prompts": 1, "minibatch": 1},
    )
    with open_parts(build_config(recipe), quiet) as parts:
        parts.policy.model.lm_head.weight.data[3] += 5  # so that every reply has a program
        parts.engine.sync()
        trainer = Trainer(parts.config, parts.policy, parts.engine, parts.grader, parts.train)
        with pytest.raises(TrainingError, match="could judge no reply"):
            trainer.train_step()


def test_a_grader_that_never_answers_does_not_hang_the_run(toy, tmp_path):
    """The deadline, against a real engine and a grader that takes replies and stays silent."""
    from concurrent.futures import Future

    class Silent:
        def submit(self, problem, reply, **options):
            return Future()

    recipe = toy_recipe(toy, tmp_path / "run", grader={"deadline_s": 0.2})
    with open_parts(build_config(recipe), quiet) as parts:
        trainer = Trainer(parts.config, parts.policy, parts.engine, Silent(), parts.train)
        with pytest.raises(TrainingError, match=r"no grade came for 0\.2 s"):
            trainer.train_step()
