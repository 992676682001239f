"""The order of problems: what each kind leaves out and shows, reasons, the state, and exact resumes of whole runs."""

from __future__ import annotations

import ast
import itertools
import json
import math

import pytest

torch = pytest.importorskip("torch")
AutoTokenizer = pytest.importorskip("transformers").AutoTokenizer

from microcoder_eval import InputError, Problem  # noqa: E402
from microcoder_rl.chat.training_rows import messages_of  # noqa: E402
from microcoder_rl.curriculum.order import TaskOrder  # noqa: E402
from microcoder_rl.curriculum.references import cuts, read_references, with_beginning  # noqa: E402
from microcoder_rl.data import Task, training_order  # noqa: E402
from microcoder_rl.recipe import build_config  # noqa: E402
from microcoder_rl.report.run_log import read_jsonl  # noqa: E402
from microcoder_rl.run import train  # noqa: E402
from tests.rl.toys import quiet, steps_of, toy_recipe, weights_of  # noqa: E402

TASKS = [Task(Problem(f"p{n}"), "", (n,), messages=tuple(messages_of("Do it."))) for n in range(6)]


def order_of(**keys):
    return TaskOrder(TASKS, build_config({"curriculum": keys}), None, longest=99)


def epoch(order, rates, step=1):
    """The problems of one epoch, each judged with its rate."""
    seen = [order.next(step) for _ in range(len(order.left) or 1)]
    seen += [order.next(step) for _ in range(len(order.left))]
    for choice in seen:
        order.observe(
            choice.index, [1.0] * round(10 * rates[choice.index]) + [0.0] * round(10 - 10 * rates[choice.index])
        )
    return seen


RATES = [0.0, 0.2, 0.5, 0.9, 1.0, 1.0]


def test_without_a_curriculum_it_is_the_training_order():
    order = order_of()
    found = [order.next(1) for _ in range(20)]
    assert [each.index for each in found] == list(itertools.islice(training_order(6, 0, 0), 20))
    assert [each.position for each in found] == list(range(20)) and {each.why for each in found} == {""}
    assert order.snapshot() == {}


@pytest.mark.parametrize(
    ("keys", "stay"),
    [
        ({"kind": "bands", "high": 0.9}, {0, 1, 2, 3}),
        ({"kind": "bands", "low": 0.1, "high": 0.5}, {1, 2}),
        ({"kind": "bands", "high": 0.25, "from_step": 2}, {0, 1, 2, 3, 4, 5}),
        ({"kind": "history"}, {0, 1, 2, 3}),  # unsolved problems stay, unlike in dynamic sampling
    ],
)
def test_who_stays_in_the_next_epoch(keys, stay):
    order = order_of(**keys)
    first = epoch(order, RATES)
    assert sorted(each.index for each in first) == list(range(6))
    assert {each.why for each in first} == {"epoch 1, not visited yet"}
    second = epoch(order, RATES)
    assert {each.index for each in second} == stay and len(second) == len(stay)
    assert all(each.why == f"epoch 2, last pass rate {RATES[each.index]:.2f}" for each in second)


def test_the_second_stage_begins_at_its_step():
    order = order_of(kind="bands", high=0.25, from_step=5)
    epoch(order, RATES, step=1)
    assert len(epoch(order, RATES, step=4)) == 6
    assert {each.index for each in epoch(order, RATES, step=5)} == {0, 1}


def test_the_second_stage_does_not_wait_for_the_end_of_an_epoch():
    """And a resumed run begins it once."""
    order = order_of(kind="bands", high=0.25, from_step=5)
    epoch(order, RATES, step=1)
    first = order.next(4)
    chosen = []
    for _ in range(2):
        chosen.append(order.next(5))
        order.observe(chosen[-1].index, [RATES[chosen[-1].index]])
        order.restore(order.cursor, json.loads(json.dumps(order.snapshot())))
    assert first.why.startswith("epoch 2") and [each.why[:7] for each in chosen] == ["epoch 3", "epoch 3"]
    assert {each.index for each in chosen} == {0, 1}


def test_a_problem_that_was_once_hard_stays_by_its_mean_rate():
    """With the last rate it leaves, as in history resampling: with few replies a rate above 0.9 is 1."""
    kept = {}
    for name, keys in {"last": {}, "mean": {"rate": "mean"}, "history": {"kind": "history"}}.items():
        order = order_of(**{"kind": "bands", **keys})
        epoch(order, [0.5, 0.5, 0.5, 0.5, 1.0, 1.0])
        epoch(order, [1.0, 0.5, 0.5, 1.0, 0.5, 0.5])
        order.restore(order.cursor, json.loads(json.dumps(order.snapshot())))
        kept[name] = {each.index for each in epoch(order, RATES)}
    assert kept["last"] == kept["history"] == {1, 2} and kept["mean"] == {0, 1, 2, 3}


def test_a_share_of_the_problems_outside_the_band_comes_back():
    tasks = [Task(Problem(f"p{number}"), "", (number,)) for number in range(200)]
    rates = [1.0, 0.5] * 100
    order = TaskOrder(tasks, build_config({"curriculum": {"kind": "bands", "outside": 0.2}}), None, longest=99)
    epoch(order, rates)
    drawn = [{each.index for each in epoch(order, rates)} for _ in range(2)]
    inside = {index for index, rate in enumerate(rates) if rate == 0.5}
    assert all(inside < each and 10 <= len(each - inside) <= 30 for each in drawn)
    assert drawn[0] != drawn[1]


def test_an_epoch_is_never_empty():
    order = order_of(kind="history")
    epoch(order, [1.0] * 6)
    assert len(epoch(order, [1.0] * 6)) == 6


def test_replies_that_could_not_be_judged_do_not_count():
    order = order_of(kind="history")
    choice = order.next(1)
    order.observe(choice.index, [None, None])
    assert order.rates == {}
    order.observe(choice.index, [None, 1.0])
    assert order.rates == {choice.index: 1.0}


@pytest.mark.parametrize("cut", [0, 3, 6, 8])
def test_a_restored_order_goes_on_exactly(cut):
    def run(order, begin, end):
        found = []
        for number in range(begin, end):
            found.append(order.next(number))
            order.observe(found[-1].index, [RATES[found[-1].index]])
        return found

    whole = run(order_of(kind="bands"), 0, 20)
    first = order_of(kind="bands")
    assert run(first, 0, cut) == whole[:cut]
    again = order_of(kind="bands")
    again.restore(first.cursor, json.loads(json.dumps(first.snapshot())))
    assert run(again, cut, 20) == whole[cut:]


BRANCHES = (
    "a = int(input())\nif a:\n    print(1)\nwhile a:\n    a -= 1\nfor b in c:\n    if b:\n        pass\nprint(2)\n"
)


def test_the_reference_shrinks_stage_by_stage():
    places = cuts(BRANCHES)
    assert len(places) == math.ceil(math.sqrt(4)) and places == sorted(places, reverse=True)
    lines = BRANCHES.splitlines()
    assert all(lines[place].split()[0] in ("if", "while", "for") for place in places)  # the model writes the branch
    system = {"role": "system", "content": "Be brief."}
    chats = [with_beginning([system, *messages_of("Do it.")], BRANCHES, stage) for stage in range(4)]
    assert all(chat[0] == system and len(chat) == 2 for chat in chats)
    prompts = [chat[1]["content"] for chat in chats]
    assert prompts[0].count("\n") > prompts[1].count("\n") and prompts[2] == prompts[3] == "Do it."
    assert cuts("print(1)") == [] == cuts("def (") == cuts("\0")


def test_references_are_read_in_both_forms(tmp_path):
    path = tmp_path / "solutions.jsonl"
    wrong = {"language": "python", "code": "bad", "correct": False}
    lines = [
        {"id": "a", "solution": "x"},
        {
            "problem_id": "b",
            "solutions": [wrong, {"language": "cpp", "code": "y"}, {"language": "python", "code": "z"}],
        },
        {"id": "c", "solutions": [{"language": "cpp", "code": "y"}]},
        {"id": "d", "solutions": [None, 3, {"language": "Python3", "code": "a\r\nb"}]},
        {"id": "e", "solutions": "whole"},
        {"id": "f", "solution": " ", "solutions": {}},
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert read_references(str(path)) == {"a": "x", "b": "z", "d": "a\nb", "e": "whole"}
    with pytest.raises(InputError, match="does not exist"):
        read_references(str(tmp_path / "nowhere"))
    config = build_config({"curriculum": {"kind": "reference", "solutions": str(path)}})
    with pytest.raises(InputError, match=r"has no solution of a problem of data\.train"):
        TaskOrder(TASKS, config, None, longest=99)
    path.write_text(json.dumps({"id": "p1", "solution": "print(1)"}))
    with pytest.raises(InputError, match="no Python solution with a branch or a loop"):
        TaskOrder(TASKS, config, None, longest=99)


def test_what_a_reference_adds_leaves_room_and_holds_no_special_token(toy, tmp_path):
    path = tmp_path / "solutions.jsonl"
    path.write_text(json.dumps({"id": "p0", "solution": "a = '<end>'\nif a:\n    say1\n"}))
    config = build_config({"curriculum": {"kind": "reference", "solutions": str(path)}})
    tokenizer = AutoTokenizer.from_pretrained(toy / "model")
    shown = TaskOrder(TASKS, config, tokenizer, longest=99).again(0, 0).task
    assert "< end>" in shown.prompt and tokenizer.eos_token_id not in shown.prompt_ids
    short = TaskOrder(TASKS, config, tokenizer, longest=len(shown.prompt_ids) - 1).again(0, 0)
    assert short.task is TASKS[0] and "too long a prompt" in short.why


def test_the_stage_follows_success(tmp_path):
    path = tmp_path / "solutions.jsonl"
    path.write_text("".join(json.dumps({"id": f"p{n}", "solution": BRANCHES}) + "\n" for n in range(6)))
    config = build_config({"curriculum": {"kind": "reference", "solutions": str(path)}})
    order = TaskOrder(TASKS, config, None, longest=99)
    assert "stage 1 of 3" in order.again(0, 2).why and "The program begins" in order.again(0, 2).task.prompt
    order.observe(2, [1.0, 0.0])  # not above the threshold
    assert "stage 1 of 3" in order.again(0, 2).why
    for _ in range(2):
        order.observe(2, [1.0, 1.0])
    assert order.again(0, 2).task is TASKS[2] and "without the reference" in order.again(0, 2).why
    ast.parse(BRANCHES)


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"kind": "bands", "low": 0.9, "high": 0.1}, r"curriculum\.low \(0.9\) is above"),
        ({"kind": "reference"}, r"kind reference goes with curriculum\.solutions"),
        ({"kind": "bands", "solutions": "x"}, "no other kind does"),
        ({"kind": "history", "from_step": 5}, r"curriculum\.from_step goes with kind bands only"),
        ({"kind": "history", "high": 0.8}, r"curriculum\.high goes with kind bands only"),
        ({"kind": "none", "rate": "mean"}, r"curriculum\.rate goes with kind bands only"),
        ({"kind": "bands", "threshold": 0.8}, r"curriculum\.threshold goes with kind reference only"),
    ],
)
def test_what_cannot_be_asked_for(keys, words):
    with pytest.raises(InputError, match=words):
        build_config({"curriculum": keys})


@pytest.mark.parametrize("staleness", [0, 2])
def test_a_run_explains_its_choices_and_resumes_exactly(toy, tmp_path, staleness):
    def recipe(out, steps):
        return build_config(
            toy_recipe(
                toy, out, run={"steps": steps}, curriculum={"kind": "history"}, rollout={"staleness": staleness},
                evaluate={"every": 0, "at_start": False}, log={"batches": True},
            )
        )  # fmt: skip

    train(recipe(tmp_path / "run", 4), notify=quiet)
    train(recipe(tmp_path / "run", 6), resume=True, notify=quiet)
    lines = read_jsonl(tmp_path / "run" / "curriculum.jsonl")
    assert [line["step"] for line in lines] == [1, 2, 3, 4, 5, 6]
    assert all(problem["why"].startswith("epoch ") for line in lines for problem in line["problems"])
    if staleness:
        return  # which groups were ready depends on the clock
    train(recipe(tmp_path / "whole", 6), notify=quiet)
    assert steps_of(tmp_path / "whole") == steps_of(tmp_path / "run")
    assert read_jsonl(tmp_path / "whole" / "curriculum.jsonl") == lines
    found, expected = (weights_of(tmp_path / name / "checkpoints" / "step-000006") for name in ("run", "whole"))
    assert all(torch.equal(found[name], expected[name]) for name in expected)
