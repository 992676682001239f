"""Sampling during updates: bounded age, versions by token, drops, pauses, kill and resume, and the replay of a run."""

from __future__ import annotations

import random
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import Future

import pytest

torch = pytest.importorskip("torch")
import yaml  # noqa: E402

from microcoder_eval import Grade, InputError, Verdict  # noqa: E402
from microcoder_rl.asynchronous.batch_log import BatchLog  # noqa: E402
from microcoder_rl.asynchronous.producer import Producer, _Running  # noqa: E402
from microcoder_rl.collect import Group  # noqa: E402
from microcoder_rl.curriculum.order import TaskOrder  # noqa: E402
from microcoder_rl.loss import mismatch_weights  # noqa: E402
from microcoder_rl.recipe import build_config, merged  # noqa: E402
from microcoder_rl.report.run_log import read_jsonl  # noqa: E402
from microcoder_rl.rollout import Rollout  # noqa: E402
from microcoder_rl.run import open_parts, train  # noqa: E402
from microcoder_rl.sampler import Submitted  # noqa: E402
from microcoder_rl.trainer import Trainer, TrainingError  # noqa: E402
from tests.rl.toys import quiet, steps_of, toy_recipe, weights_of  # noqa: E402


def recipe_of(toy, out, **changes):
    own = {
        "algorithm": "dapo",
        "rollout": {"staleness": 2, "segment": 2},
        "loss": {"old_logprobs": "recomputed"},
        "evaluate": {"every": 0, "at_start": False},
        "log": {"batches": True, "samples": 0},
    }
    return toy_recipe(toy, out, **merged(own, changes))


def order_of(parts):
    return TaskOrder(parts.train, parts.config, parts.policy.tokenizer, longest=99)


def taken(producer, step):
    return producer.take(step, 1.0, 3, quiet)


@pytest.fixture
def parts(toy, tmp_path):
    with open_parts(build_config(recipe_of(toy, tmp_path / "run")), quiet) as parts:
        yield parts


def test_no_token_is_older_than_allowed_and_the_reward_rises(toy, tmp_path):
    train(build_config(recipe_of(toy, tmp_path / "run", run={"steps": 25})), notify=quiet)
    records = steps_of(tmp_path / "run")
    assert records[0]["staleness_max"] == 0 and 1 <= max(record["staleness_max"] for record in records) <= 2
    rewards = [record["reward"] for record in records]
    assert sum(rewards[-5:]) > sum(rewards[:5]) + 1.0


def test_every_token_knows_its_version(parts):
    producer = Producer(parts.sampler, order_of(parts), version=0)
    try:
        for step in (1, 2, 3, 4):
            batch = taken(producer, step)
            replies = [rollout for group in batch.groups for rollout in group.rollouts]
            assert len(batch.groups) == 4 and all(rollout.grade for rollout in replies)
            assert all(sum(count for _, count in rollout.versions) == rollout.length for rollout in replies)
            assert all(0 <= age <= 2 for age, _ in batch.ages)
            with producer.paused():
                producer.version = step
    finally:
        producer.close()
    assert not producer._thread.is_alive()


def test_segments_do_not_change_what_is_sampled(toy, tmp_path):
    found = []
    for segment in (1, 2, 3):
        config = build_config(recipe_of(toy, tmp_path / str(segment), rollout={"segment": segment}))
        with open_parts(config, quiet) as parts:
            producer = Producer(parts.sampler, order_of(parts), version=0)
            replies = {}
            for _ in range(100):  # the weights stay; what is graded first comes first, so that batches differ
                groups = taken(producer, 1).groups
                replies |= {r.seed: r.response_ids for group in groups for r in group.rollouts}
                if not found or found[0].keys() <= replies.keys():
                    break
            producer.close()
        found.append(replies)
    first = found[0]
    assert len(first) >= 16
    assert all(later[seed] == reply for later in found[1:] for seed, reply in first.items())


def test_segments_of_all_replies_are_equally_long(toy, tmp_path):
    """A shorter last segment would be a call of its own, after that of the other replies."""
    config = build_config(recipe_of(toy, tmp_path / "run", rollout={"segment": 4, "max_tokens": 6}))
    with open_parts(config, quiet) as parts:
        limits, generate = [], parts.engine.generate

        def recorded(requests, **options):
            limits.append(options["max_tokens"])
            return generate(requests, **options)

        parts.engine.generate = recorded
        producer = Producer(parts.sampler, order_of(parts), version=0)
        lengths = [each.length for group in producer.take(1, 1.0, 6, quiet).groups for each in group.rollouts]
        producer.close()
    assert max(lengths) > 3 and set(limits) == {3}


def test_groups_that_became_too_old_are_dropped_counted_and_replaced(parts):
    producer = Producer(parts.sampler, order_of(parts), version=0)
    try:
        assert taken(producer, 1).dropped == 0
        deadline = time.monotonic() + 120
        while len(producer._ready) < 8 and time.monotonic() < deadline:
            time.sleep(0.01)
        with producer.paused():
            producer.version = 3  # three steps later: those of version 0 are too old
        batch = taken(producer, 4)
        assert batch.dropped >= 8 and all(age <= 2 for age, _ in batch.ages)
    finally:
        producer.close()


def test_the_curriculum_knows_only_of_groups_that_were_consumed(toy, tmp_path):
    """Else a resumed run would sample a group again whose pass rate, or stage, its checkpoint already counts."""
    config = build_config(recipe_of(toy, tmp_path / "run", curriculum={"kind": "bands", "high": 1.0}))
    with open_parts(config, quiet) as parts:
        producer = Producer(parts.sampler, order_of(parts), version=0)
        try:
            batch = taken(producer, 1)
            deadline = time.monotonic() + 120
            while len(producer._ready) < 8 and time.monotonic() < deadline:
                time.sleep(0.01)
            known = {parts.train[int(index)].problem.id for index in producer.order.snapshot()["rates"]}
        finally:
            producer.close()
    assert known == {group.task.problem.id for group in batch.groups}


def test_a_grade_is_given_up_only_when_no_other_comes(parts):
    producer = Producer(parts.sampler, order_of(parts), version=0)
    choice = producer.order.next(1)
    replies = [Rollout(0, n, n, choice.task.prompt_ids, [1], [0.0], "length", 1.0) for n in range(2)]
    slow, came = Future(), Future()
    came.set_result(Grade("", choice.task.problem.id, Verdict.WRONG_ANSWER))
    long_ago = time.perf_counter() - 10 * parts.config.grader.deadline_s
    grading = [Submitted(reply, choice.task, each, long_ago) for reply, each in zip(replies, (slow, came), strict=True)]
    producer._running = [_Running(choice, Group(choice.task, replies), 3, [], grading)]
    assert producer._grade() and replies[1].reward == 0.0 and replies[0].grade is None
    assert not producer._grade()  # the grader is at work: the other grade may still come
    producer._graded_at = long_ago
    assert producer._grade() and replies[0].grade.verdict is Verdict.JUDGE_ERROR and replies[0].reward is None
    assert [each.group.rollouts for each in producer._ready] == [replies]


def test_nothing_is_sampled_during_a_pause(parts):
    producer = Producer(parts.sampler, order_of(parts), version=0)
    calls = []
    generate = parts.engine.generate

    def counted(*arguments, **options):
        calls.append(1)
        return generate(*arguments, **options)

    parts.engine.generate = counted
    try:
        taken(producer, 1)
        with producer.paused():
            before = len(calls)
            time.sleep(0.3)
            assert len(calls) == before
    finally:
        producer.close()


def test_a_step_waits_once_for_a_segments_end(parts):
    """Only new weights need a pause; a constant temperature needs none."""

    class Counted(Producer):
        pauses = 0

        def paused(self):
            self.pauses += 1
            return super().paused()

    trainer = Trainer(parts.config, parts.policy, parts.engine, parts.grader, parts.train, notify=quiet)
    trainer.producer = producer = Counted(parts.sampler, order_of(parts), version=0)
    try:
        trainer.train_step()
        assert producer.pauses == 1
    finally:
        trainer.close()


def test_an_error_while_sampling_reaches_the_trainer(parts):
    def broken(*_, **__):
        raise RuntimeError("the engine broke")

    parts.engine.generate = broken
    producer = Producer(parts.sampler, order_of(parts), version=0)
    with pytest.raises(RuntimeError, match="the engine broke"):
        taken(producer, 1)
    producer.close()


def test_prompts_that_were_begun_and_not_trained_come_again(parts):
    producer = Producer(parts.sampler, order_of(parts), version=0)
    batch = taken(producer, 1)
    producer.close()
    positions = {position for position, _ in batch.pending}
    assert positions < set(range(batch.cursor)) and batch.cursor - len(positions) == 4
    order = order_of(parts)
    order.restore(batch.cursor, {})
    again = Producer(parts.sampler, order, version=1, pending=batch.pending)
    following = taken(again, 2)
    again.close()
    later = {position for position, _ in following.pending}
    assert len(positions - later) <= 4  # each is trained in this batch or still to come


@pytest.mark.parametrize("kills", [(5,), pytest.param((2, 5), marks=pytest.mark.slow)])  # torch takes long to start
def test_killed_and_resumed_it_trains_the_batches_that_were_consumed(toy, tmp_path, kills):
    """The resumed run repeats the lines that the killed one wrote, and its replay gives the same weights."""
    recipe = recipe_of(toy, tmp_path / "run", run={"steps": 8}, checkpoint={"every": 3})
    (tmp_path / "toy.yaml").write_text(yaml.safe_dump(recipe))
    code = "from microcoder_rl.commands import train; train(prog_name='train')"
    command = [sys.executable, "-c", code, "run", str(tmp_path / "toy.yaml"), "--resume"]
    rng, metrics = random.Random(0), tmp_path / "run" / "metrics.jsonl"
    written: dict[int, dict] = {}
    for reached in kills:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        while process.poll() is None and len(read_jsonl(metrics)) < reached:
            time.sleep(0.02)
        time.sleep(rng.random() * 0.2)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        if reached > 3:  # there is a checkpoint to resume from
            written = {record["step"]: record for record in steps_of(tmp_path / "run")}
    train(build_config(recipe), resume=True, notify=quiet)
    records = steps_of(tmp_path / "run")
    assert [record["step"] for record in records] == list(range(1, 9)) and len(written) >= 5
    assert all(record == records[step - 1] for step, record in written.items())
    replay = recipe_of(toy, tmp_path / "replay", run={"steps": 8}, rollout={"replay": str(tmp_path / "run")})
    train(build_config(replay), notify=quiet)
    assert steps_of(tmp_path / "replay") == records
    found, expected = (weights_of(tmp_path / name / "checkpoints" / "step-000008") for name in ("replay", "run"))
    assert all(torch.equal(found[name], expected[name]) for name in expected)


def test_resuming_behind_a_sweep_goes_on_at_the_temperature_that_it_selected(toy, tmp_path):
    """The run was killed after the step of its second sweep, whose batch is logged, and before a checkpoint."""
    sweeps = {"mode": "selected", "grid": [0.7, 1.3], "probes": 2, "reselect_at": [2]}
    with open_parts(build_config(recipe_of(toy, tmp_path / "run", temperature=sweeps)), quiet) as parts:
        trainer = Trainer(parts.config, parts.policy, parts.engine, parts.grader, parts.train, notify=quiet)
        trainer.state.step, trainer.state.selected_temperature = 1, 0.7
        producer = Producer(parts.sampler, order_of(parts), version=1)
        trainer.batches.save(2, producer.take(2, 1.3, 3, quiet))
        producer.close()
        found = [trainer.train_step()["temperature"] for _ in range(2)]
        trainer.close()
    assert found == [1.3, 1.3]


def test_a_replay_without_its_batches_is_one_clear_line(toy, tmp_path):
    recipe = recipe_of(toy, tmp_path / "run", rollout={"staleness": 0, "replay": str(tmp_path / "nowhere")})
    with pytest.raises(TrainingError, match=r"has no batch of step 1: the run to replay needs log\.batches"):
        train(build_config(recipe), notify=quiet)


def test_a_run_that_replays_itself_keeps_its_batches(toy, tmp_path):
    options = {"run": {"steps": 2}, "rollout": {"staleness": 0, "replay": str(tmp_path / "run")}}
    options["log"] = {"batches": True}
    train(build_config(recipe_of(toy, tmp_path / "run", **{**options, "rollout": {"staleness": 0}})), notify=quiet)
    shutil.rmtree(tmp_path / "run" / "checkpoints")
    sampled = steps_of(tmp_path / "run")
    train(build_config(recipe_of(toy, tmp_path / "run", **options)), notify=quiet, resume=True)
    assert steps_of(tmp_path / "run") == sampled
    assert len(list((tmp_path / "run" / "batches").iterdir())) == 2


def test_a_replay_of_a_run_without_staleness_is_that_run(toy, tmp_path):
    options = {"run": {"steps": 3}, "rollout": {"staleness": 0}}
    train(build_config(recipe_of(toy, tmp_path / "run", **options)), notify=quiet)
    options["rollout"] = {"staleness": 0, "replay": str(tmp_path / "run")}
    train(build_config(recipe_of(toy, tmp_path / "replay", **options)), notify=quiet)
    assert steps_of(tmp_path / "replay") == steps_of(tmp_path / "run")
    for number, (changes, lacks) in enumerate(
        [
            ({"algorithm": "reinforce"}, "baseline: greedy needs greedy replies"),
            ({"advantage": {"credit": "executed"}}, "credit: executed needs executed lines"),
        ]
    ):
        recipe = recipe_of(toy, tmp_path / str(number), **merged(options, changes))
        with pytest.raises(InputError, match=f"advantage.{lacks}; the batches of"):
            train(build_config(recipe), notify=quiet)


def test_broken_batches_are_named(parts, tmp_path):
    log = BatchLog(tmp_path / "batches")
    producer = Producer(parts.sampler, order_of(parts), version=0)
    batch = taken(producer, 1)
    producer.close()
    log.save(1, batch)
    loaded = log.load(1, parts.train)
    for ours, theirs in zip(loaded.groups, batch.groups, strict=True):
        for found, expected in zip(ours.rollouts, theirs.rollouts, strict=True):
            assert found.grade.verdict is expected.grade.verdict
            assert {**vars(found), "grade": None} == {**vars(expected), "grade": None}
    assert log.load(2, parts.train) is None
    path = log.folder / "step-000001.pt"
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(InputError, match=r"step-000001\.pt cannot be read"):
        log.load(1, parts.train)
    log.save(1, batch)
    with pytest.raises(InputError, match=r"is not in data\.train"):
        log.load(1, parts.train[:1])


def test_batches_before_the_oldest_checkpoint_are_removed(toy, tmp_path):
    recipe = recipe_of(toy, tmp_path / "run", log={"batches": False}, checkpoint={"every": 2, "keep": 1})
    train(build_config(recipe), notify=quiet)
    assert list((tmp_path / "run" / "batches").iterdir()) == []


def test_conversations_of_several_turns_are_sampled_during_updates(toy, tmp_path):
    rollout = {"turns": 2, "feedback_tokens": 24, "segment": 1}
    train(build_config(recipe_of(toy, tmp_path / "run", rollout=rollout, run={"steps": 4})), notify=quiet)
    assert all(record["turns"] > 1 and record["staleness_max"] <= 2 for record in steps_of(tmp_path / "run"))


def test_data_without_signal_ends_a_step(toy, tmp_path):
    import json

    task = {"id": "h", "prompt": "say1", "tests": [{"input": "", "output": "never"}]}
    (tmp_path / "hopeless.jsonl").write_text(json.dumps(task))
    recipe = recipe_of(
        toy, tmp_path / "run", run={"steps": 1}, data={"train": str(tmp_path / "hopeless.jsonl")},
        batch={"dynamic_sampling": True, "dynamic_rounds": 2},
    )  # fmt: skip
    said = []
    train(build_config(recipe), notify=said.append)
    assert any("0 of 4 prompts with signal" in line for line in said)


def test_the_sequence_correction_is_the_truncated_product():
    old, sampled = torch.tensor([0.1, 0.2, -1.0]), torch.zeros(3)
    weights = mismatch_weights(old, sampled, torch.tensor([0, 0, 1]), "sequence", 1.2)
    assert torch.allclose(weights, torch.tensor([1.2, 1.2, 0.36787944]))  # exp(0.3) is cut, exp(-1) is not
