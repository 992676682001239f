"""How prompts are divided over ranks: by the lengths of the last replies to them."""

from __future__ import annotations

import threading

import pytest

pytest.importorskip("torch")

from microcoder_eval import Problem
from microcoder_rl import distributed
from microcoder_rl.data import Task
from microcoder_rl.recipe import build_config
from microcoder_rl.rollout import Rollout
from microcoder_rl.sampler import GradingTimes, Sampler

LENGTHS = [90, 5, 80, 5, 70, 5]
TASKS = [Task(Problem(str(number)), "", (1,)) for number in range(len(LENGTHS))]


@pytest.fixture
def two_ranks(monkeypatch):
    """Ranks as threads: `gather` exchanges their values."""
    own, values, barrier = threading.local(), [None, None], threading.Barrier(2)

    def gather(value, group="update"):
        values[own.rank] = value
        barrier.wait(60)
        found = list(values)
        barrier.wait(60)
        return found

    monkeypatch.setattr(distributed, "size", lambda: 2)
    monkeypatch.setattr(distributed, "rank", lambda: own.rank)
    monkeypatch.setattr(distributed, "gather", gather)

    def run(work):
        def of(rank):
            own.rank = rank
            found[rank] = work(rank)

        found = [None, None]
        threads = [threading.Thread(target=of, args=(rank,)) for rank in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return found

    return run


class Counting(Sampler):
    """Samples replies of the task's length, and notes how many tokens this rank sampled."""

    def _sample_own(self, tasks, requests, temperature, max_tokens):
        lengths = [LENGTHS[int(task.problem.id)] for task in tasks]
        self.tokenizer.append(sum(lengths))
        groups = [
            [Rollout(0, 0, 0, (1,), [int(task.problem.id)] * n, [], "stop", 1.0)]
            for task, n in zip(tasks, lengths, strict=True)
        ]
        return groups, GradingTimes()


def test_a_prompt_whose_replies_were_long_is_dealt_first(two_ranks):
    def work(rank):
        tokens = []
        sampler = Counting(None, None, tokens, build_config({}))
        for _ in range(2):
            groups, _ = sampler.sample(TASKS, [(n,) for n in range(6)], 1, temperature=1.0, max_tokens=99)
            assert [group[0].response_ids[0] for group in groups] == list(range(6))
        return tokens

    first, second = zip(*two_ranks(work), strict=True)
    assert sorted(first) == [15, 240]  # nothing is known yet: one after the other
    assert sum(second) == 255 and max(second) <= 150


def test_ranks_without_an_engine_get_no_prompts(two_ranks):
    def work(rank):
        tokens = []
        sampler = Counting(None, None, tokens, build_config({"rollout": {"engine": "vllm-server"}}))
        sampler.sample(TASKS, [(n,) for n in range(6)], 1, temperature=1.0, max_tokens=99)
        return tokens

    assert two_ranks(work) == [[255], [0]]
