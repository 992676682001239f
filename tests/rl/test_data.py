"""Reading datasets: JSONL and the Parquet of a built dataset, prompts, order, evaluation tables, logs."""

from __future__ import annotations

import itertools
import json
import os
import shutil

import jinja2
import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("torch")

from microcoder_eval import InputError, Problem
from microcoder_rl.data import Task, holds_problems, load_tasks, training_order
from microcoder_rl.evaluate import accuracy_table
from microcoder_rl.recipe.config import ChatConfig, DataConfig, LogConfig
from microcoder_rl.report.run_log import Log, read_jsonl
from microcoder_rl.run import summarise

pytestmark = pytest.mark.fast


class Words:
    """A tokenizer of whitespace words."""

    chat_template = None

    def __call__(self, text, **_):
        return {"input_ids": list(range(len(text.split())))}


class Chat(Words):
    """A tokenizer with a chat template, rendered as transformers does."""

    chat_template = (
        "{# enable_search is ignored #}{% for m in messages %}<{{ m.role }}> {{ m.content }} "
        "{% endfor %}<assistant>{% if enable_thinking is defined and not enable_thinking %} <think> </think>{% endif %}"
    )

    def apply_chat_template(self, messages, **variables):
        return jinja2.Template(self.chat_template).render(messages=messages, **variables)


PROBLEM = {
    "id": "sum",
    "statement": "Add two numbers.",
    "starter_code": "",
    "tests": [{"input": "1 2", "output": "3"}],
    "platform": "AtCoder",
    "difficulty": "Easy",
}


def write(path, *records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return str(path)


def test_prompts_come_from_the_record_the_template_or_the_default(tmp_path):
    path = write(tmp_path / "p.jsonl", PROBLEM, {**PROBLEM, "id": "own", "prompt": "Just this."})
    first, own = load_tasks(path, Words(), DataConfig(), longest=500).items
    assert "Add two numbers." in first.prompt and "standard input" in first.prompt and "```python" in first.prompt
    assert own.prompt == "Just this." and len(own.prompt_ids) == 2
    assert (first.platform, first.level) == ("AtCoder", "easy")
    (templated, _) = load_tasks(path, Words(), DataConfig(prompt="Q: {statement}"), longest=500).items
    assert templated.prompt == "Q: Add two numbers."
    chat = load_tasks(path, Chat(), DataConfig(), longest=500).items[1]
    assert len(chat.prompt_ids) == 4


CHAT = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Just this."}]
STDIN_TRUTH = json.dumps({"inputs": ["1 2\n"], "outputs": ["3\n"]})
CALL_TRUTH = {"inputs": [[[1, 2]]], "outputs": [3], "fn_name": "add"}
ASSERTS = ["assert add(1, 2) == 3", "assert add(0, 0) == 0"]


@pytest.mark.parametrize(
    ("row", "kind", "name"),
    [
        ({"reward_model": {"style": "rule", "ground_truth": STDIN_TRUTH}, "extra_info": {"index": 4}}, "stdin", None),
        (
            {"reward_model": {"ground_truth": json.dumps(CALL_TRUTH)}, "extra_info": {"problem_id": "add"}},
            "call",
            "add",
        ),
        ({"tests": ASSERTS, "solution": "def add(a, b): ..."}, "asserts", None),
        ({"ground_truth": json.dumps(ASSERTS), "task_id": 7}, "asserts", "7"),
        ({"verification_info": {"language": "python", "test_cases": PROBLEM["tests"]}}, "stdin", None),
        ({"problem": json.dumps({**PROBLEM, "statement": ""}), "problem_id": "sum"}, "stdin", "sum"),
    ],
    ids=["verl", "verl, a function", "TRL, asserts", "TRL, ground truth", "open-r1", "our export"],
)
@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_rows_of_other_trainers_are_used_as_they_are(tmp_path, row, kind, name, form):
    path = tmp_path / f"train.{form}"
    if form == "parquet":
        pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
        pq.write_table(pa.Table.from_pylist([{"prompt": CHAT, **row}]), path)
    else:
        write(path, {"prompt": CHAT, **row})
    (task,) = load_tasks(str(path), Chat(), DataConfig(), longest=500).items
    assert (task.problem.kind, task.prompt) == (kind, "Be brief.\n\nJust this.")
    assert task.problem.id == name or (name is None and "train" in task.problem.id)
    assert task.problem.statement == task.prompt
    assert len(task.prompt_ids) == 4 + 3, "the system message is a message of its own"
    other = DataConfig(chat=ChatConfig(system="In this run it is another one."))
    assert len(load_tasks(str(path), Chat(), other, longest=500).items[0].prompt_ids) == 4 + 8


@pytest.mark.parametrize("tokenizer", [Words(), Chat()])
@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"prompt": 5}, "neither a text nor a list of messages, but a int"),
        ({"prompt": {"role": "user"}}, "but a dict"),
        ({"prompt": ["Add."]}, "a message without a text"),
        ({"prompt": [{"role": "user"}]}, "a message without a text"),
        ({"prompt": [{"role": "user", "content": [{"type": "image"}]}]}, "a message without a text"),
        ({"prompt": "Add \ud800."}, "a lone surrogate"),
        ({"statement": "Add \udcff."}, "a lone surrogate"),
        ({"statement": " "}, "neither a statement nor a prompt"),
    ],
)
def test_a_problem_whose_prompt_cannot_be_shown_is_left_out_with_the_reason(tmp_path, fields, why, tokenizer):
    path = write(tmp_path / "p.jsonl", {**PROBLEM, **fields}, {**PROBLEM, "id": "good"})
    tasks = load_tasks(path, tokenizer, DataConfig(), longest=500)
    assert [task.problem.id for task in tasks.items] == ["good"]
    assert "sum: " in tasks.left_out[0] and why in tasks.left_out[0]


@pytest.mark.parametrize("fields", [{"checker": {"kind": "nonsense"}}, {"checker": "x"}, {"kind": "nonsense"}])
def test_a_row_whose_own_rule_is_broken_is_never_graded_without_it(tmp_path, fields):
    path = write(tmp_path / "p.jsonl", {**PROBLEM, "prompt": "Just this.", **fields}, {**PROBLEM, "id": "good"})
    tasks = load_tasks(path, Words(), DataConfig(), longest=500)
    assert [task.problem.id for task in tasks.items] == ["good"] and next(iter(fields)) in tasks.left_out[0]


@pytest.mark.parametrize(
    "fields",
    [
        *({"platform": platform} for platform in (5, ["x"], {"a": 1}, float("nan"))),
        *({"samples": samples} for samples in (5, [5], ["1 2"], {"input": "1 2"}, [{"output": "3"}])),
    ],
)
def test_columns_of_other_types_are_as_if_they_were_not_there(tmp_path, fields):
    path = write(tmp_path / "p.jsonl", {**PROBLEM, **fields}, {**PROBLEM, "id": "other"})
    tasks = load_tasks(path, Words(), DataConfig(), longest=500).items
    assert tasks[0].public == ()
    assert accuracy_table(tasks, [1.0, 0.0])["AtCoder"]["easy"] == (0.0 if "platform" in fields else 0.5)


def test_a_statement_that_names_a_place_of_the_template_is_not_filled_in(tmp_path):
    odd = {**PROBLEM, "statement": "Format {starter_code} and {statement}.", "starter_code": "def f(): ..."}
    template = DataConfig(prompt="{starter_code}Q: {statement}")
    (task,) = load_tasks(write(tmp_path / "p.jsonl", odd), Words(), template, longest=500).items
    assert task.prompt.endswith("\n\nQ: Format {starter_code} and {statement}.")


def test_a_row_with_a_prompt_and_no_test_is_no_problem(tmp_path):
    path = write(tmp_path / "chats.jsonl", {"prompt": CHAT, "answer": "42"}, {"prompt": CHAT, "tests": []})
    assert not holds_problems(path)
    assert holds_problems(write(tmp_path / "p.jsonl", {"prompt": CHAT}, PROBLEM))


def test_the_chat_template_gets_a_system_message_and_arguments(tmp_path):
    path = write(tmp_path / "p.jsonl", {**PROBLEM, "prompt": "Just this."})

    def length(**chat):
        return len(load_tasks(path, Chat(), DataConfig(chat=ChatConfig(**chat)), longest=500).items[0].prompt_ids)

    assert length() == 4
    assert length(system="Be brief.") == 4 + 3
    assert length(arguments={"enable_thinking": False}) == 4 + 2


def test_a_chat_that_the_template_cannot_render_is_refused(tmp_path):
    path = write(tmp_path / "p.jsonl", PROBLEM)
    system = ChatConfig(system="Be brief.")
    for name in ("enable_thinkin", "enable_search"):
        with pytest.raises(InputError, match=rf"data\.chat\.arguments.*'{name}'"):
            load_tasks(path, Chat(), DataConfig(chat=ChatConfig(arguments={name: False})), longest=500)
    with pytest.raises(InputError, match="no chat template"):
        load_tasks(path, Words(), DataConfig(chat=system), longest=500)
    for name in ("messages", "add_generation_prompt"):
        with pytest.raises(InputError, match=rf"data\.chat\.arguments: '{name}' is set by the prompt"):
            load_tasks(path, Chat(), DataConfig(chat=ChatConfig(arguments={name: False})), longest=500)
    deaf = Chat()
    deaf.chat_template = "{% for m in messages if m.role != 'system' %}{{ m.content }}{% endfor %}"
    with pytest.raises(InputError, match=r"data\.chat\.system: .* does not show a system message"):
        load_tasks(path, deaf, DataConfig(chat=system), longest=500)
    strict = Chat()
    strict.chat_template = "{{ messages[1].content.missing.part }}"
    with pytest.raises(InputError, match="chat template fails"):
        load_tasks(path, strict, DataConfig(chat=system), longest=500)


def test_problems_are_drawn_at_random_and_always_the_same(tmp_path):
    path = write(tmp_path / "p.jsonl", *({**PROBLEM, "id": f"p{number}"} for number in range(50)))
    drawn = [task.problem.id for task in load_tasks(path, Words(), DataConfig(), longest=500, draw=20).items]
    again = [task.problem.id for task in load_tasks(path, Words(), DataConfig(), longest=500, draw=20).items]
    assert drawn == again == sorted(drawn, key=lambda name: int(name[1:])) and len(set(drawn)) == 20
    assert drawn != [f"p{number}" for number in range(20)]
    assert len(load_tasks(path, Words(), DataConfig(), longest=500, draw=99)) == 50


def test_what_cannot_be_used_is_left_out_and_named(tmp_path):
    path = write(tmp_path / "p.jsonl", PROBLEM, {"id": "bare"}, {**PROBLEM, "id": "long", "prompt": "x " * 99})
    tasks = load_tasks(path, Words(), DataConfig(), longest=50)
    assert [task.problem.id for task in tasks.items] == ["sum"]
    assert "bare" in tasks.left_out[0] and "no tests" in tasks.left_out[0]
    assert "99 tokens exceeds 50" in tasks.left_out[1]
    assert len(load_tasks(path, Words(), DataConfig(), longest=500, limit=1)) == 1


def test_the_datasets_own_parquet(tmp_path):
    pytest.importorskip("pyarrow")
    from microcoder_data.schema import ROW, new_row, new_test
    from microcoder_data.shards import ShardWriter

    row = new_row(
        problem_id="mine:1",
        source="mine",
        statement="Add.",
        input_format="Two integers.",
        kind="stdin",
        platform="kattis",
        tests=[new_test("1 2", "3")],
        difficulty={"level": "hard"},
    )
    (tmp_path / "data").mkdir()
    (tmp_path / "dropped").mkdir()
    writer = ShardWriter(tmp_path / "data" / "train-00000.parquet", ROW)
    writer.write({key: value for key, value in row.items() if key in ROW.names})
    writer.close()
    (tmp_path / "dropped" / "bad.parquet").write_bytes(b"not parquet")
    (tmp_path / "work").mkdir()
    shutil.copy(tmp_path / "data" / "train-00000.parquet", tmp_path / "work")  # as a build leaves its stages there
    for place in (tmp_path, tmp_path / "data" / "train-00000.parquet"):
        (task,) = load_tasks(str(place), Words(), DataConfig(), longest=500).items
        assert task.problem.tests[0].output == "3" and (task.platform, task.level) == ("kattis", "hard")
        assert "Two integers." in task.prompt


def test_a_file_that_only_says_it_is_parquet(tmp_path):
    pytest.importorskip("pyarrow")
    (tmp_path / "p.parquet").write_text("not so")
    with pytest.raises(InputError, match=r"p\.parquet: not Parquet") as caught:
        load_tasks(str(tmp_path / "p.parquet"), Words(), DataConfig(), longest=9)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "words"), [("{", "not JSON"), ("[1]", "JSON object"), ("", "no usable problem"), (None, "no such dataset")]
)
def test_unreadable_datasets(tmp_path, text, words):
    path = tmp_path / "p.jsonl"
    if text is not None:
        path.write_text(text)
    with pytest.raises(InputError, match=words):
        load_tasks(str(path), Words(), DataConfig(), longest=9)


@given(st.integers(1, 20), st.integers(0, 100), st.integers(0, 3))
def test_the_order_is_a_permutation_an_epoch_and_can_be_entered_anywhere(count, start, seed):
    whole = list(itertools.islice(training_order(count, seed, 0), start + 2 * count))
    assert list(itertools.islice(training_order(count, seed, start), 2 * count)) == whole[start:]
    assert sorted(whole[:count]) == list(range(count))


def test_the_table_and_the_summary():
    tasks = [Task(Problem(str(i)), "", (), platform, level) for i, (platform, level) in enumerate(
        [("A", "easy"), ("A", "hard"), ("B", "hard"), ("B", "")])]  # fmt: skip
    table = accuracy_table(tasks, [1.0, 0.0, 0.5, 0.25])
    assert table["A"] == {"easy": 1.0, "hard": 0.0, "All": 0.5}
    assert table["All"]["hard"] == 0.25 and table["All"]["All"] == pytest.approx(0.4375)
    assert "easy" not in table["B"]
    assert summarise([0.2, 0.5, 0.3, 0.1], 3) == pytest.approx({"last": 0.1, "best": 0.5, "mean_of_last_3": 0.3})


def test_a_resumed_log_forgets_what_came_after_the_checkpoint_and_half_lines(tmp_path):
    config = LogConfig(tensorboard=False)
    log = Log(tmp_path, config, name="x", recipe={}, after_step=-1)
    for step in (1, 2, 3):
        log.step({"step": step, "reward": float("nan")})
    with (tmp_path / "metrics.jsonl").open("a") as file:
        file.write('{"step": 4, "rew')
    Log(tmp_path, config, name="x", recipe={}, after_step=2)
    assert read_jsonl(tmp_path / "metrics.jsonl") == [{"step": 1, "reward": None}, {"step": 2, "reward": None}]


def test_a_resumed_log_keeps_replies_with_any_line_separator_and_a_cut_character(tmp_path):
    path, config = tmp_path / "samples.jsonl", LogConfig(tensorboard=False)
    records = [{"step": step, "reply": "a\u2028b\x85c\x1dd\r\n\u00e9"} for step in (1, 2)]
    lines = [json.dumps(record, ensure_ascii=False).encode() + b"\n" for record in records]
    path.write_bytes(b"".join(lines) + lines[0][: lines[0].index(b"\xc2") + 1])  # killed within a character
    Log(tmp_path, config, name="x", recipe={}, after_step=1)
    assert read_jsonl(path) == records[:1]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
def test_a_log_that_cannot_be_written_is_one_line_that_names_it(tmp_path):
    log = Log(tmp_path, LogConfig(tensorboard=False), name="x", recipe={}, after_step=-1)
    (tmp_path / "metrics.jsonl").symlink_to("/dev/full")
    with pytest.raises(InputError, match=r"metrics\.jsonl: cannot be written: No space left"):
        log.step({"step": 1})


def test_tensorboard_gets_the_numbers(tmp_path):
    pytest.importorskip("tensorboard")
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    with Log(tmp_path, LogConfig(), name="x", recipe={}, after_step=-1) as log:
        log.step({"step": 1, "reward": 0.5})
    events = EventAccumulator(str(tmp_path / "tensorboard"))
    events.Reload()
    assert events.Scalars("reward")[0].value == 0.5
