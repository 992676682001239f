"""The file of results: whole lines, whatever is killed, and several writers."""

from __future__ import annotations

import multiprocessing

import pytest

from microcoder_eval import InputError
from microcoder_rl.lab.results import Results

pytestmark = pytest.mark.fast


def record(seed, arm="a"):
    return {"arm": arm, "seed": seed, "points": [{"step": 0, "long": 0.5}], "cpu_s": 1.0}


def write_some(path, start):
    for seed in range(start, start + 20):
        Results(path).add(record(seed))


def test_what_is_added_is_read(tmp_path):
    store = Results(tmp_path / "new" / "results.jsonl")
    assert store.read() == {}
    store.add(record(0))
    store.add(record(1))
    assert store.read() == {("a", 0): record(0), ("a", 1): record(1)}


def test_half_a_line_is_ignored_and_removed_by_the_next_writer(tmp_path):
    store = Results(tmp_path / "results.jsonl")
    store.add(record(0))
    with open(store.path, "ab") as file:
        file.write(b'{"arm": "a", "se')
    assert list(store.read()) == [("a", 0)]
    store.add(record(1))
    assert list(store.read()) == [("a", 0), ("a", 1)]


def test_half_a_line_alone(tmp_path):
    store = Results(tmp_path / "results.jsonl")
    store.path.write_bytes(b'{"arm"')
    store.add(record(1))
    assert list(store.read()) == [("a", 1)]


def test_a_second_record_of_a_run_is_ignored(tmp_path):
    store = Results(tmp_path / "results.jsonl")
    store.add(record(0))
    store.add({**record(0), "cpu_s": 9.0})
    assert store.read()["a", 0]["cpu_s"] == 1.0


def test_two_writers_at_once(tmp_path):
    path = tmp_path / "results.jsonl"
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=write_some, args=(path, start)) for start in (0, 100)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert len(Results(path).read()) == 40


POINTS = '"points": [{"step": 0, "long": 0.5}]'


@pytest.mark.parametrize(
    "line",
    [
        "[]",
        "{}",
        "nonsense",
        "[" * 100_000,
        '{"arm": "a", "seed": "x"}',
        '{"arm": "a", "seed": 0, "cpu_s": 1}',
        '{"arm": "a", "seed": 0, "cpu_s": 1, "points": 3}',
        '{"arm": "a", "seed": 0, "cpu_s": 1, "points": []}',
        '{"arm": "a", "seed": 0, "cpu_s": 1, "points": [3]}',
        '{"arm": "a", "seed": 0, "cpu_s": 1, "points": [{"long": 0.5}]}',
        '{"arm": "a", "seed": 0, "cpu_s": 1, "points": [{"step": 0, "long": "x"}]}',
        '{"arm": "a", "seed": 0, "cpu_s": 1, "points": [{"step": 0, "long": 1e400}]}',
        f'{{"arm": "a", "seed": 0, "cpu_s": "x", {POINTS}}}',
        f'{{"arm": ["a"], "seed": 0, "cpu_s": 1, {POINTS}}}',
    ],
)
def test_a_broken_line_is_named(tmp_path, line):
    store = Results(tmp_path / "results.jsonl")
    store.add(record(0))
    store.path.write_text(store.path.read_text() + line + "\n")
    with pytest.raises(InputError, match="line 2"):
        store.read()
