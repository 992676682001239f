"""Reads exported datasets with their users' code: verl's dataset and reward, TRL's trainer, LiveCodeBench's loader.

    python bench/export_readers.py DATASET --verl CHECKOUT --lcb CHECKOUT [--solutions 20]

DATASET is a built dataset with solutions. Its exports are loaded with `RLHFDataset` and `default_compute_score` of
verl, `GRPOTrainer` of TRL (one step of a tiny model), `CodeGenerationProblem` and `codegen_metrics` of LiveCodeBench;
reference solutions must be accepted by verl's and LiveCodeBench's own judges, a wrong program must not. Of the
checkouts only the modules in question are imported; they need omegaconf and what this project's extras have. (verl's
reward imports `pyext`, which does not install on current Pythons: its one call is replaced.)
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path
from types import ModuleType
from typing import Any

from microcoder_data.export.write import export
from microcoder_data.shards import read_shard

WRONG = "print('no answer at all')\nclass Solution: pass\n"


def solutions_of(dataset: Path) -> dict[str, str]:
    """A right Python program for each problem that has one."""
    found = {}
    for shard in sorted((dataset / "solutions").glob("*.parquet")):
        for row in read_shard(shard):
            right = [s["code"] for s in row["solutions"] if s["language"] == "python" and s["correct"] is not False]
            if right:
                found[row["problem_id"]] = right[0]
    return found


def packages(*names: str, at: Path) -> None:
    """Register packages without running their `__init__`, so that single modules of them can be imported."""
    for name in names:
        sys.modules[name] = ModuleType(name)
        sys.modules[name].__path__ = [str(at / name.replace(".", "/"))]


class RuntimeModule:
    """Replaces the one class of pyext that verl's reward uses."""

    @staticmethod
    def from_string(name: str, _: str, source: str) -> ModuleType:
        module = ModuleType(name)
        exec(source, module.__dict__)
        return module


def verl(checkout: Path, file: Path, solutions: dict[str, str], most: int) -> None:
    packages("verl", "verl.utils", "verl.utils.dataset", at=checkout)
    sys.modules["pyext"] = ModuleType("pyext")
    sys.modules["pyext"].RuntimeModule = RuntimeModule  # type: ignore[attr-defined]
    from omegaconf import OmegaConf
    from verl.utils.dataset.rl_dataset import RLHFDataset, collate_fn
    from verl.utils.reward_score import default_compute_score

    config = OmegaConf.create({"cache_dir": str(file.parent / "cache"), "filter_overlong_prompts": False})
    dataset = RLHFDataset([str(file)], tokenizer=None, config=config)
    batch = collate_fn([dataset[i] for i in range(len(dataset))])
    print(f"verl: {len(dataset)} rows, columns {sorted(batch)}")
    asked = [row for row in dataset if row["extra_info"]["problem_id"] in solutions][:most]
    for row in asked:
        truth, source = row["reward_model"]["ground_truth"], row["data_source"]
        reply = f"```python\n{solutions[row['extra_info']['problem_id']]}\n```"
        right, wrong = (default_compute_score(source, text, truth) for text in (reply, WRONG))
        print(f"  {row['extra_info']['problem_id']:40} solution {right:.2f}, wrong program {wrong:.2f}")


def livecodebench(checkout: Path, file: Path, solutions: dict[str, str], most: int) -> None:
    sys.path.insert(0, str(checkout))
    packages("lcb_runner", "lcb_runner.benchmarks", at=checkout)
    from lcb_runner.benchmarks.code_generation import CodeGenerationProblem
    from lcb_runner.evaluation.compute_code_generation_metrics import codegen_metrics

    problems = [CodeGenerationProblem(**json.loads(line)) for line in file.read_text().splitlines()]
    print(f"LiveCodeBench: {len(problems)} problems")
    asked = [problem for problem in problems if problem.question_id in solutions][:most]
    samples = [problem.get_evaluation_sample() for problem in asked]
    _, results, _ = codegen_metrics(
        samples, [[solutions[p.question_id], WRONG] for p in asked], k_list=[1], num_process_evaluate=2
    )
    for number, problem in enumerate(asked):
        right, wrong = (all(test is True for test in tests) for tests in results[number])
        print(f"  {problem.question_id:40} solution {right}, wrong program {wrong}")


def trl(file: Path, folder: Path) -> None:
    from datasets import load_dataset
    from transformers import AutoTokenizer, PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM
    from trl import GRPOConfig, GRPOTrainer

    from microcoder_eval import Grader, Problem

    tokenizer = tiny_tokenizer(PreTrainedTokenizerFast)
    tokenizer.save_pretrained(folder / "model")
    shape = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 1, "num_attention_heads": 2}
    config = Qwen3Config(vocab_size=len(tokenizer), num_key_value_heads=1, head_dim=16, **shape)
    Qwen3ForCausalLM(config).save_pretrained(folder / "model")
    seen: list[str] = []
    with Grader(workers=2) as grader:

        def reward(completions: list[Any], problem: list[str], **_: Any) -> list[float | None]:
            seen.extend(problem)
            pairs = [
                (Problem.from_dict(json.loads(p)), c[0]["content"]) for p, c in zip(problem, completions, strict=True)
            ]
            return [future.result().reward for future in [grader.submit(*pair) for pair in pairs]]

        arguments = GRPOConfig(
            str(folder / "out"), per_device_train_batch_size=2, num_generations=2, max_completion_length=8, max_steps=2,
            report_to=[], use_cpu=True, logging_steps=1,
        )  # fmt: skip
        dataset = load_dataset("parquet", data_files=str(file), cache_dir=str(folder / "cache"))["train"]
        trainer = GRPOTrainer(
            str(folder / "model"), reward, args=arguments, train_dataset=dataset,
            processing_class=AutoTokenizer.from_pretrained(folder / "model"),
        )  # fmt: skip
        trainer.train()
    print(f"TRL: {len(dataset)} rows, {trainer.state.global_step} steps, {len(seen)} completions graded")


def tiny_tokenizer(kind: Any) -> Any:
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    core = Tokenizer(models.BPE({letter: number for number, letter in enumerate(letters)}, []))
    core.pre_tokenizer, core.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    tokenizer = kind(tokenizer_object=core, eos_token="<end>", pad_token="<pad>")
    tokenizer.chat_template = "{% for m in messages %}{{ m['content'] }}\n{% endfor %}"
    return tokenizer


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dataset", type=Path)
    parser.add_argument("--verl", type=Path)
    parser.add_argument("--lcb", type=Path)
    parser.add_argument("--solutions", type=int, default=20, help="how many problems to judge a solution of")
    arguments = parser.parse_args()
    solutions = solutions_of(arguments.dataset)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for to in ("verl", "trl", "livecodebench", "jsonl"):
            out = folder / f"{to}.{'parquet' if to in ('verl', 'trl') else 'jsonl'}"
            done = export(arguments.dataset, to, out)
            print(f"{to}: {done.written} written, left out {dict(done.left_out)}")
        if arguments.verl:
            verl(arguments.verl, folder / "verl.parquet", solutions, arguments.solutions)
        if arguments.lcb:
            livecodebench(arguments.lcb, folder / "livecodebench.jsonl", solutions, arguments.solutions)
        trl(folder / "trl.parquet", folder)


if __name__ == "__main__":
    main()
