"""Credit by line: the map from tokens to lines, what was not executed, where a program broke, and whole runs."""

from __future__ import annotations

import json
import textwrap

import pytest

torch = pytest.importorskip("torch")
from hypothesis import assume, given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

from microcoder_eval import Grade, Grader, Problem, Submission, TestCase, Verdict  # noqa: E402
from microcoder_eval.extract import extract  # noqa: E402
from microcoder_eval.verdict import Raised  # noqa: E402
from microcoder_rl.collect import Group  # noqa: E402
from microcoder_rl.data import Task  # noqa: E402
from microcoder_rl.lines.assign import assign_line_credit  # noqa: E402
from microcoder_rl.lines.statements import error_lines, unexecuted_lines  # noqa: E402
from microcoder_rl.lines.token_map import lines_of_tokens, token_spans  # noqa: E402
from microcoder_rl.lines.trace import add_executed_lines  # noqa: E402
from microcoder_rl.recipe import build_config  # noqa: E402
from microcoder_rl.recipe.objective import AdvantageConfig  # noqa: E402
from microcoder_rl.rollout import Rollout  # noqa: E402
from microcoder_rl.run import train  # noqa: E402
from tests.rl.toys import quiet, steps_of, toy_recipe  # noqa: E402

CORPUS = ["for i in range(10):\n        print(i)\n", "```python\nn = int(input())\n```\n", "если é 漢字 🙂 a\n\n\nb"]


@pytest.fixture(scope="module")
def tokenizer():
    """A byte-level BPE whose merges cross words and lines, and whose rare characters are several tokens."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    core = Tokenizer(models.BPE())
    core.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    core.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=300, special_tokens=["<end>"], initial_alphabet=alphabet, show_progress=False
    )
    core.train_from_iterator(CORPUS * 3, trainer)
    return PreTrainedTokenizerFast(tokenizer_object=core, eos_token="<end>")


LINE = st.text(alphabet="abé漢🙂 =(){}:'\"#\t0", min_size=1, max_size=8).filter(str.strip)
PROSE = st.text(alphabet="xyzü漢🙂 .\n", max_size=12)


@settings(max_examples=150, deadline=None)
@given(lines=st.lists(LINE, min_size=1, max_size=6), before=PROSE, after=PROSE, indent=st.integers(0, 4))
def test_each_token_has_the_lines_of_its_own_characters(tokenizer, lines, before, after, indent):
    code = "\n".join(lines)
    text = f"{before}\n```python\n{textwrap.indent(code, ' ' * indent)}\n```\n{after}"
    ids = tokenizer(text)["input_ids"]
    cut = token_spans(tokenizer.decode, ids)
    assert cut is not None and cut[0] == text
    found = lines_of_tokens(tokenizer.decode, ids, code)
    assert found is not None and len(found) == len(ids)
    # by another way: the line of each character, given to the tokens that hold its bytes
    begin = len(f"{before}\n```python\n".encode())
    block = textwrap.indent(code, " " * indent).encode()
    raw = [len(tokenizer.convert_ids_to_tokens(one)) for one in ids]  # a character of a byte-level token is a byte
    position, expected = 0, []
    for size in raw:
        own = range(max(position, begin), min(position + size, begin + len(block) + 1))
        expected.append({1 + block[: at - begin].count(b"\n") for at in own})
        position += size
    for mine, theirs in zip(found, expected, strict=True):
        assert mine >= theirs  # a token of a part of a character has the line of the whole character


STATEMENT = st.sampled_from(
    ["a = 1", "print('é🙂')", "b = '漢́'", "for i in range(2): print(i)", "# ñ", "if 1:\n\tc = 2", "d = '''\n> x'''"]
)
OPENINGS = ["```python", "~~~py", "````python", "- ```python", "  1. ~~~python", "> ```python", "Here it is: ```python"]


@settings(max_examples=150, deadline=None)
@given(
    statements=st.lists(STATEMENT, min_size=1, max_size=5),
    opening=st.sampled_from(OPENINGS),
    line_end=st.sampled_from(["\n", "\r\n", "\r"]),
    closing=st.sampled_from(["own line", "at the end", "none"]),
    mark=st.sampled_from(["", "\ufeff"]),
    copies=st.tuples(st.booleans(), st.booleans(), st.booleans()),
)
def test_the_map_finds_the_program_however_a_reply_writes_it(
    tokenizer, statements, opening, line_end, closing, mark, copies
):
    code = "\n".join(statements)
    fence = next(fence for fence in ("````", "```", "~~~") if fence in opening)
    prefix = {"-": "  ", "1": "     ", ">": "> "}.get(opening.strip()[0], "")
    pieces: list[tuple[str, int | None]] = [("So 🙂:", None)]
    if copies[0]:  # an earlier block with the same program
        pieces += [("```python", None), *((line, None) for line in code.split("\n")), ("```", None), ("Again:", None)]
    if copies[1]:  # prose that repeats it
        pieces += [(line, None) for line in code.split("\n")]
    lines = [(prefix + line, number) for number, line in enumerate(code.split("\n"), 1)]
    lines[0] = (f"{'' if prefix else mark}{lines[0][0]}", 1)
    if closing == "at the end":
        lines[-1] = (lines[-1][0] + fence, lines[-1][1])
    pieces += [(opening, None), *lines]
    if closing == "own line":
        pieces.append((prefix + fence, None))
    if copies[2] and closing != "none":
        pieces += [("As I said:", None), *((line, None) for line in code.split("\n"))]
    text = line_end.join(line for line, _ in pieces)
    program = extract(text).code
    assume(program is not None and program.split("\n") == code.split("\n"))
    assume(closing != "none" or not copies[0])  # else the earlier block, which is finished, is the program
    ids = tokenizer(text)["input_ids"]
    found = lines_of_tokens(tokenizer.decode, ids, program)
    assert found is not None, text
    of_byte = [number for line, number in pieces for _ in range(len(f"{line}{line_end}".encode()))]
    position = 0
    for own, token in zip(found, ids, strict=True):
        end = position + len(tokenizer.convert_ids_to_tokens(token))
        exact = {number for number in of_byte[position:end] if number}
        near = {number for number in of_byte[max(0, position - 3) : end + 3] if number}  # parts of one character
        assert exact <= own <= near, (text, tokenizer.convert_ids_to_tokens(token))
        position = end


def test_broken_bytes_cost_linear_time(tokenizer):
    """A model in a loop can write bytes that are no text, and then a program."""
    broken = tokenizer.convert_tokens_to_ids(tokenizer.tokenize("é")[-1:]) * 4000
    ids = [*broken, *tokenizer("\n```python\na = 1\n```")["input_ids"]]
    read = 0

    def decode(own):
        nonlocal read
        read += len(own)
        return tokenizer.decode(own)

    found = lines_of_tokens(decode, ids, "a = 1")
    assert found is None or any(found)
    assert read < 80 * len(ids)


def test_a_program_that_is_not_in_the_reply_has_no_map(tokenizer):
    ids = tokenizer("```python\na = 1\n```")["input_ids"]
    assert lines_of_tokens(tokenizer.decode, ids, "a = 2") is None
    assert lines_of_tokens(tokenizer.decode, ids, "\n") is None
    assert lines_of_tokens(lambda ids: "x" * (len(ids) // 2), ids, "x") is None  # no cut fits


def test_the_last_copy_of_a_program_counts(tokenizer):
    text = "```python\na = 1\n```\nBetter:\n```python\na = 1\n```"
    ids = tokenizer(text)["input_ids"]
    marked = [place for place, lines in enumerate(lines_of_tokens(tokenizer.decode, ids, "a = 1")) if lines]
    assert tokenizer.decode(ids[: marked[0]]).count("```") == 3


PROGRAM = "import sys\ndef f(x):\n    if x:\n        return 1\n    return (2 +\n        3)\n\n# words\nprint(f(0))\n"


def test_statements_that_did_not_run():
    assert unexecuted_lines(PROGRAM, {1, 2, 3, 5, 9}) == {4}
    assert unexecuted_lines(PROGRAM, {9}) == {3, 4, 5, 6}  # never the definition, the import, the comment
    assert unexecuted_lines("def (", {1}) == set() == unexecuted_lines("", set())


DECLARED = '''def f(a):
    """What it
    does."""
    global b
    b: int
    match a:
        case 1:
            b = 5
        case (
            2 | 3
        ):
            b = 6
    return b
'''


def test_statements_that_no_tracer_sees_are_trained_and_cases_that_did_not_run_are_not():
    assert unexecuted_lines(DECLARED, {1, 6, 7, 9, 10, 12, 13}) == {8}
    assert unexecuted_lines(DECLARED, {1}) == {6, 8, 12, 13}  # the function was never called


def test_where_a_program_broke():
    printed = 'Traceback:\n  File "solution.py", line 9, in <module>\nRecursionError: deep'
    grades = {
        "whole": Grade("", "p", Verdict.TIME_LIMIT),
        4: Grade("", "p", Verdict.RUNTIME_ERROR, detail=printed, raised=Raised(4, "ValueError"), code=PROGRAM),
        2: Grade("", "p", Verdict.COMPILE_ERROR, raised=Raised(2, "SyntaxError"), code="a\nb("),
        None: Grade("", "p", Verdict.WRONG_ANSWER, detail="line 1, token 1: expected '3'"),
    }
    assert [error_lines(grade) for grade in grades.values()] == ["whole", {4}, {2}, None]
    assert error_lines(Grade("", "p", Verdict.RUNTIME_ERROR, raised=Raised(4, "RecursionError"))) == "whole"
    assert error_lines(Grade("", "p", Verdict.RUNTIME_ERROR, detail=printed, code=PROGRAM)) is None


def reply_of(tokenizer, code, verdict=Verdict.WRONG_ANSWER, raised=None):
    ids = tokenizer(f"Hm.\n```python\n{code}```\n")["input_ids"]
    reply = Rollout(0, 0, 0, (1,), ids, [0.0] * len(ids), "stop", 1.0)
    reply.grade, reply.reward, reply.advantage = Grade("", "p", verdict, raised=raised, code=code), 0.0, -1.0
    return reply


def text_of(tokenizer, reply, value):
    own = zip(reply.response_ids, reply.token_advantages, strict=True)
    return tokenizer.decode([token for token, advantage in own if advantage == pytest.approx(value)])


def test_the_mask_and_the_fine_feedback_change_only_their_lines(tokenizer):
    code = "n = int(input())\nif n > 3:\n    q = 7\nprint(n)\n"
    reply = reply_of(tokenizer, code)
    reply.executed = [1, 2, 4]
    assign_line_credit([reply], AdvantageConfig(credit="executed"), tokenizer.decode)
    assert "q = 7" in text_of(tokenizer, reply, 0.0) and "n" not in text_of(tokenizer, reply, 0.0)
    assert "Hm." in text_of(tokenizer, reply, -1.0) and "print(n)" in text_of(tokenizer, reply, -1.0)
    broken = reply_of(tokenizer, code, Verdict.COMPILE_ERROR, Raised(3, "SyntaxError"))
    assign_line_credit([broken], AdvantageConfig(fine=0.3), tokenizer.decode)
    assert "q = 7" in text_of(tokenizer, broken, -1.3) and "int" not in text_of(tokenizer, broken, -1.3)
    slow = reply_of(tokenizer, code, Verdict.TIME_LIMIT)
    assign_line_credit([slow], AdvantageConfig(fine=0.3), tokenizer.decode)
    assert set(slow.token_advantages) == {-1.3}
    masked = reply_of(tokenizer, code, Verdict.TIME_LIMIT)
    masked.mask = "truncated, wrong"
    assign_line_credit([masked], AdvantageConfig(fine=0.3), tokenizer.decode)
    assert masked.token_advantages is None


def test_the_grader_says_which_lines_ran():
    problem = Problem("p", tests=(TestCase("1", "1"), TestCase("2", "2")))
    code = "n = int(input())\nif n > 3:\n    n = 7\nprint(n)\n"
    with Grader(workers=1, isolation="submission") as grader:
        replies = [Rollout(0, n, n, (1,), [1], [0.0], "stop", 1.0) for n in range(3)]
        for reply, program in zip(replies, (code, "print(", "while True:\n    pass"), strict=True):
            reply.grade = grader.submit(problem, Submission("", "p", code=program)).result()
            reply.reward = reply.grade.reward
        config = build_config({"grader": {"deadline_s": 250}})
        add_executed_lines([Group(Task(problem, "", ()), replies)], grader, config)
    assert [reply.executed for reply in replies] == [[1, 2, 4], None, None]


CRASHES = "n = int(input())\nif n > 1:\n    x = 1 // (n - 2)\n    y = 2\nprint(n)\nwhile n > 5:\n    pass\n"
CRASHING_CALL = "def f(n):\n    if n > 1:\n        x = 1 // (n - 2)\n        y = 2\n    return n\n"


def test_the_line_of_an_error_ran_and_a_line_that_a_limit_may_hide_is_trained():
    def executed(problem, code):
        replies = [Rollout(0, n, n, (1,), [1], [0.0], "stop", 1.0) for n in range(2)]
        for reply, reward in zip(replies, (0.0, 1.0), strict=True):
            reply.grade, reply.reward = Grade("", "p", Verdict.RUNTIME_ERROR, code=code), reward
        add_executed_lines([Group(Task(problem, "", ()), replies)], grader, config)
        return replies[0].executed

    config = build_config({"grader": {"deadline_s": 250}})
    with Grader(workers=1) as grader:
        two = (TestCase("1", "1"), TestCase("2", "2"))
        assert executed(Problem("p", tests=two), CRASHES) == [1, 2, 3, 5, 6]
        called = Problem("p", kind="call", entry_point="f", tests=(TestCase([1], 1), TestCase([2], 2)))
        assert executed(called, CRASHING_CALL) == [2, 3, 5]
        endless = Problem("p", tests=(*two, TestCase("6", "6")), time_limit_s=0.1)
        assert executed(endless, CRASHES) is None


KEYS = {
    "dapo": ({"algorithm": "dapo"}, False),
    "rloo": ({"algorithm": "rloo"}, False),
    "ppo": ({"algorithm": "ppo"}, True),
    "reinforce": ({"algorithm": "reinforce"}, True),
    "reinforce_pp_baseline": ({"algorithm": "reinforce_pp_baseline"}, True),
    "overlong": ({"algorithm": "dapo", "advantage": {"overlong_buffer": 4}}, True),
    "turns": ({"algorithm": "dapo", "reward": {"turns": "discounted"}}, True),
}


@pytest.mark.parametrize("name", KEYS)
def test_replies_that_get_an_advantage_in_a_group_of_equal_rewards_are_traced_too(name):
    keys, traced = KEYS[name]
    replies = [Rollout(0, n, n, (1,), [1], [0.0], "stop", 1.0) for n in range(2)]
    for reply in replies:
        reply.grade, reply.reward = Grade("", "p", Verdict.WRONG_ANSWER, code="print(1)\nif 0:\n    x = 1"), 0.0
    problem = Problem("p", tests=(TestCase("", "2"),))
    with Grader(workers=1) as grader:
        add_executed_lines([Group(Task(problem, "", ()), replies)], grader, build_config(keys))
    assert [reply.executed for reply in replies] == [[1, 2] if traced else None] * 2


@pytest.mark.parametrize("changes", [{"credit": "executed"}, {"fine": 0.3}])
def test_training_and_resuming_with_credit_by_line(toy, tmp_path, changes):
    tasks = tmp_path / "tasks.jsonl"
    tasks.write_text("".join(line + "\n" for line in (toy / "tasks.jsonl").read_text().splitlines()))
    assert json.loads(tasks.read_text().splitlines()[0])["id"]
    for name, stops in (("whole", [4]), ("stopped", [2, 4])):
        for stop in stops:
            recipe = toy_recipe(
                toy, tmp_path / name, advantage=changes, run={"steps": stop}, evaluate={"every": 0, "at_start": False}
            )
            train(build_config(recipe), resume=stop != stops[0], notify=quiet)
    assert steps_of(tmp_path / "whole") == steps_of(tmp_path / "stopped")
