"""TRL: the real GRPOTrainer for three steps on the file that `microcoder data export` writes, and the pieces alone."""

from __future__ import annotations

import asyncio
import inspect
import json
import pickle
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("trl", reason="needs trl, which the development environment has")
pytest.importorskip("pyarrow", reason="needs the extra data")

from microcoder_eval import InputError
from microcoder_eval.integrations import trl as ours
from microcoder_eval.integrations import verl
from microcoder_eval.integrations.grading import Rewarder
from microcoder_eval.integrations.trl_environment import CodeEnvironment
from tests.data.export.test_export import ADD, dataset, exported
from tests.integrations.conftest import BROKEN, PROBLEM, REPLIES

__all__ = ["dataset"]

TAKE = "class Solution:\n    def take(self, xs, k): return xs[:k]"
PROGRAMS = {"mine:sum": ADD, "mine:positional": TAKE, "mine:any order": ADD, "mine:float": ADD, "mine:any case": ADD}
PROGRAMS |= {"mine:by name": TAKE, "mine:asserts": "def f(n): return n + 1", "mine:long": "print(len(input()))"}


def rewards(function: Any, completions: list[Any], problems: list[Any], **columns: Any) -> list[float | None]:
    prompts = [""] * len(completions)
    return asyncio.run(function(prompts=prompts, completions=completions, problem=problems, **columns))


def test_every_reply_gets_its_reward_in_every_form(problem: str, broken: str) -> None:
    replies = [*REPLIES.values(), REPLIES["right"]]
    problems = [problem] * 4 + [broken]
    chats = [[{"role": "assistant", "content": reply}] for reply in replies]
    logged: dict[str, Any] = {}
    columns = {"log_metric": logged.__setitem__, "log_extra": logged.__setitem__, "trainer_state": None}
    for completions in (replies, chats):
        assert rewards(ours.code_reward, completions, problems, **columns) == [1.0, 0.0, 0.0, 0.0, None]
    assert rewards(ours.code_reward, replies[:1], [PROBLEM]) == [1.0]
    assert logged["verdict/accepted"] == logged["verdict/judge_error"] == 0.2
    assert logged["verdict"][0] == "ACCEPTED"
    assert sum(share for name, share in logged.items() if name.startswith("verdict/")) == pytest.approx(1)


def test_settings(problem: str) -> None:
    reward = pickle.loads(pickle.dumps(ours.CodeReward(shape="fraction", cut_off=-0.5)))
    assert rewards(reward, list(REPLIES.values()), [problem] * 4) == [1.0, 0.5, 0.0, -0.5]
    assert reward.__name__ == "code_reward"
    assert inspect.iscoroutinefunction(reward)  # TRL 1.6 asks this, and does not await any other function
    assert rewards(reward, [REPLIES["right"]], [problem], column=["a column of the data set"]) == [1.0]
    pickle.loads(pickle.dumps(ours.code_reward))
    assert rewards(ours.CodeReward(column="problem"), [], []) == []
    with pytest.raises(InputError, match="no column 'tests'"):
        rewards(ours.CodeReward(column="tests"), ["x"], [problem])


def test_an_older_trl_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ours, "version", lambda name: "1.5.2")
    with pytest.raises(ImportError, match=r"scores a reward of None as 0.*trl>=1\.6"):
        ours.CodeReward()


def test_our_exports_go_in_unchanged(dataset: Path) -> None:
    import pyarrow.parquet

    file, _ = exported(dataset, "trl", "trl.parquet")
    rows = [row for row in pyarrow.parquet.read_table(file).to_pylist() if row["problem_id"] in PROGRAMS]
    replies = [[{"role": "assistant", "content": f"```python\n{PROGRAMS[row['problem_id']]}\n```"}] for row in rows]
    assert len(rows) >= 8
    assert rewards(ours.code_reward, replies, [row["problem"] for row in rows]) == [1.0] * len(rows)
    empty = [[{"role": "assistant", "content": "```python\npass\n```"}]] * len(rows)
    assert rewards(ours.code_reward, empty, [row["problem"] for row in rows]) == [0.0] * len(rows)

    file, _ = exported(dataset, "verl", "verl.parquet")
    rows = pyarrow.parquet.read_table(file).to_pylist()
    assert len(rows) >= 4
    for row in rows:
        program = PROGRAMS[row["extra_info"]["problem_id"]]
        scored = asyncio.run(
            verl.compute_score(
                data_source=row["data_source"],
                solution_str=f"```python\n{program}\n```",
                ground_truth=row["reward_model"]["ground_truth"],
                extra_info=row["extra_info"],
            )
        )
        assert scored["score"] == 1.0, row["extra_info"]


def test_three_steps_of_the_real_trainer(dataset: Path, tmp_path: Path) -> None:
    from datasets import load_dataset
    from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM
    from trl import GRPOConfig, GRPOTrainer

    tokenizer = tiny_tokenizer(PreTrainedTokenizerFast)
    shape = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 1, "num_attention_heads": 2}
    model = Qwen3ForCausalLM(Qwen3Config(vocab_size=len(tokenizer), num_key_value_heads=1, head_dim=16, **shape))
    file, _ = exported(dataset, "trl", "train.parquet")
    rows = load_dataset("parquet", data_files=str(file), cache_dir=str(tmp_path / "cache"))["train"]
    arguments = GRPOConfig(
        str(tmp_path / "out"),
        per_device_train_batch_size=2,
        num_generations=2,
        max_completion_length=8,
        max_steps=3,
        report_to=[],
        use_cpu=True,
        logging_steps=1,
    )
    trainer = GRPOTrainer(
        model, [ours.code_reward, ours.CodeReward(shape="fraction")], arguments, rows, processing_class=tokenizer
    )
    trainer.train()
    assert trainer.state.global_step == 3
    logged = [line for line in trainer.state.log_history if any("verdict/no_code" in key for key in line)]
    assert len(logged) == 3


def test_an_environment_of_tools(problem: str, broken: str) -> None:
    environment = CodeEnvironment()
    environment.reset(problem=problem, prompt=[], other=1)
    assert environment.get_reward() == 0.0
    assert environment.run_samples("print(3)").startswith("sample 1: ACCEPTED")
    assert "WRONG_ANSWER" in environment.run_samples("print(4)")
    assert "7" not in environment.run_samples("print(4)")  # the second test of two is not shown
    assert environment.submit("print(3)") == "WRONG_ANSWER"
    assert environment.get_reward() == 0.0
    assert environment.submit("print(sum(map(int, input().split())))") == "ACCEPTED"
    assert environment.get_reward() == 1.0
    assert environment.submit("print(").startswith("COMPILE_ERROR")
    environment.reset(problem=json.dumps(BROKEN))
    environment.submit("print(3)")
    assert environment.get_reward() is None
    environment.rewarder = Rewarder()
    with pytest.raises(RuntimeError):
        CodeEnvironment().submit("x")


def test_the_share_of_tests_is_that_of_all_of_them() -> None:
    class OfShares(CodeEnvironment):
        rewarder = Rewarder(shape="fraction")

    environment = OfShares()
    for wrong in (0, 9):
        environment.reset(problem={"tests": [{"input": str(n), "output": str(n)} for n in range(10)]})
        assert environment.submit(f"n = int(input())\nprint(n if n != {wrong} else -1)") == "WRONG_ANSWER"
        assert environment.get_reward() == 0.9


def test_tools_have_the_schema_that_trl_asks_for() -> None:
    from transformers.utils import get_json_schema

    environment = CodeEnvironment()
    for tool in (environment.submit, environment.run_samples):
        schema = get_json_schema(tool)["function"]
        assert schema["parameters"]["properties"]["code"]["type"] == "string"


def tiny_tokenizer(kind: Any) -> Any:
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    core = Tokenizer(models.BPE({letter: number for number, letter in enumerate(letters)}, []))
    core.pre_tokenizer, core.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    tokenizer = kind(tokenizer_object=core, eos_token="<end>", pad_token="<pad>")
    tokenizer.chat_template = "{% for m in messages %}{{ m['content'] }}\n{% endfor %}"
    return tokenizer
