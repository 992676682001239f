"""Training speed and memory compared with TRL, in turns, on the same workload in the same minutes.

    python bench/train_vs_trl.py [--steps 6] [--rounds 2] [--dtype float32 | bfloat16] [--compile] [--json FILE]
    python bench/train_vs_trl.py --device cuda --size 0.6b --dtype bfloat16 --compile --layout padded   # on a GPU

Workload: a 3.4 M-parameter Qwen3 (random weights), 16 prompts of about 59 tokens x 8 samples x at most 128 tokens at
T = 1, DAPO token mean, clip 0.2 / 0.28, no KL, one update a step, AdamW, a text reward that takes no time. Each run is
a process of its own. Compared are the median step after two steps of warm-up, in wall and CPU seconds (on a busy
machine read CPU seconds, with --threads 1), and peak memory. Quality is not measured here.

TRL runs with 32 rows a micro-batch and, for bfloat16, with its own `bf16=True` (autocast over fp32 weights); ours in
micro-batches of 2,048 tokens, which keeps memory low, and for bfloat16 with bf16 weights and fp32 masters. With
--compile, compilation happens in the warm-up steps, whose times are printed too.

With --floor the matrix products that every such step needs are run alone, in turns with the two: one forward pass for
each sampled token, and one forward and two backward for the update. What a step takes beyond that is attention,
norms, activations, sampling and overhead.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from measure import machine
from random_model import SIZES

GROUP, PROMPT_TOKENS, VOCABULARY = 8, 59, 1024
WARM_UP = 2
BARS = {"float32": 1.8, "bfloat16": 2.8}
PEAK_MB = 1126
"""1.1 GB."""
SHAPES = {
    **SIZES,
    "small": {
        "vocabulary": VOCABULARY, "hidden_size": 256, "intermediate_size": 768, "num_hidden_layers": 4,
        "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 64,
    },
}  # fmt: skip
SETTINGS = ("device", "size", "dtype", "compile", "layout", "threads", "micro_tokens")
SETTINGS += ("steps", "rounds", "prompts", "max_tokens")


def main() -> None:
    """Run both sides in turns and print the comparison."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=6, help="measured steps a run")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--prompts", type=int, default=16, help="a step; a multiple of 4")
    parser.add_argument("--max-tokens", type=int, default=128, help="of a reply")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--dtype", choices=("float32", "bfloat16"), default="float32")
    parser.add_argument("--compile", action="store_true", help="torch.compile our update")
    parser.add_argument("--layout", choices=("padded", "packed", "shared"), default="shared")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--size", choices=SHAPES, default="small", help="of the model")
    parser.add_argument("--micro-tokens", type=int, default=2048, help="of our update")
    parser.add_argument("--floor", action="store_true", help="time the matrix products alone too")
    parser.add_argument("--json", type=Path, help="write the numbers")
    parser.add_argument("--side", choices=("ours", "trl", "floor"), help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.side:
        print(json.dumps({"ours": run_ours, "trl": run_trl, "floor": run_floor}[arguments.side](arguments)))
        return
    found: dict[str, list[dict]] = {"ours": [], "trl": [], **({"floor": []} if arguments.floor else {})}
    with tempfile.TemporaryDirectory() as folder:
        make_model(Path(folder), arguments.size)
        for _ in range(arguments.rounds):
            for side, results in found.items():
                command = [sys.executable, __file__, *sys.argv[1:], "--side", side, "--folder", folder]
                output = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
                results.append(json.loads(output.strip().splitlines()[-1]))
    medians, cpu = {}, {}
    for side, results in found.items():
        medians[side] = statistics.median(second for result in results for second in result["steps"])
        tokens = statistics.median(count for result in results for count in result["tokens"])
        memory = max(result["peak_mb"] for result in results)
        split = ", ".join(f"{key} {value:.2f} s" for key, value in results[-1]["split"].items())
        split += "".join(f", warm-up step {second:.1f} s" for second in results[-1].get("warm_up", []))
        cpu[side] = statistics.median(second for result in results for second in result["cpu"])
        print(
            f"{side:5s} {medians[side]:6.2f} s/step  {cpu[side]:6.2f} CPU s/step  {tokens:7.0f} tokens/step  "
            f"{memory:6.0f} MB peak  {split}"
        )
    wall, bar = medians["trl"] / medians["ours"], BARS[arguments.dtype]
    print(f"TRL / ours: {wall:.2f} wall (bar {bar}), {cpu['trl'] / cpu['ours']:.2f} CPU; bar of memory {PEAK_MB} MB")
    if arguments.floor:
        print(f"TRL / the matrix products alone: {cpu['trl'] / cpu['floor']:.2f} CPU")
    if arguments.json:
        settings = {key: vars(arguments)[key] for key in SETTINGS}
        record = {
            "machine": machine(),
            **settings,
            "wall_ratio": wall,
            "wall_bar": bar,
            "cpu_ratio": cpu["trl"] / cpu["ours"],
            "peak_mb": {side: max(result["peak_mb"] for result in results) for side, results in found.items()},
            "peak_mb_bar": PEAK_MB,
            "median_s": medians,
            "median_cpu_s": cpu,
            "runs": found,
        }
        arguments.json.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


def make_model(folder: Path, size: str) -> None:
    """The reference model and a tokenizer of its vocabulary."""
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM

    core = Tokenizer(models.BPE())
    core.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    core.decoder = decoders.ByteLevel()
    source = [path.read_text(errors="ignore") for path in sorted(Path(json.__file__).parent.parent.glob("a*.py"))]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    core.train_from_iterator(
        source,
        trainers.BpeTrainer(
            vocab_size=VOCABULARY, special_tokens=["<pad>", "<end>"], initial_alphabet=alphabet, show_progress=False
        ),
    )
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=core, eos_token="<end>", pad_token="<pad>")
    torch.manual_seed(0)
    shape = {**SHAPES[size]}
    model = Qwen3ForCausalLM(
        Qwen3Config(
            vocab_size=shape.pop("vocabulary"), **shape, tie_word_embeddings=True, max_position_embeddings=1024,
            eos_token_id=tokenizer.eos_token_id, pad_token_id=tokenizer.pad_token_id, bos_token_id=None,
        )
    )  # fmt: skip
    model.save_pretrained(folder / "model")
    tokenizer.save_pretrained(folder / "model")


def peak_mb() -> float:
    """Of the GPU's memory, what torch has reserved. Without a GPU the resident memory of the process."""
    import torch

    if torch.cuda.is_initialized():
        return torch.cuda.max_memory_reserved() / 2**20
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def prompts(tokenizer) -> list[str]:
    """Prompts of about `PROMPT_TOKENS` tokens of Python source."""
    text = Path(json.__file__).read_text()
    ids = tokenizer(text)["input_ids"]
    return [tokenizer.decode(ids[40 * index : 40 * index + PROMPT_TOKENS]) for index in range(64)]


def reward(text: str) -> float:
    """1 when the number of characters is odd, else 0. It takes no time and differs within nearly every group."""
    return float(len(text) % 2)


def run_ours(arguments: argparse.Namespace) -> dict:
    """Our trainer with the reward in place of the grader's verdict: both sides then measure training alone."""
    from concurrent.futures import Future

    import torch

    from microcoder_eval import Grade, Problem, Submission, Verdict
    from microcoder_rl.data import Task
    from microcoder_rl.engines.torch_engine import TorchEngine
    from microcoder_rl.policy import Policy
    from microcoder_rl.recipe import build_config
    from microcoder_rl.recipe.config import ModelConfig
    from microcoder_rl.trainer import Trainer

    class Reward:
        def submit(self, problem: Problem, submission: Submission, **_: object) -> Future:
            future: Future = Future()
            verdict = Verdict.ACCEPTED if reward(submission.response) else Verdict.WRONG_ANSWER
            future.set_result(Grade("", problem.id, verdict))
            return future

    torch.set_num_threads(arguments.threads)
    model = ModelConfig(path=str(arguments.folder / "model"), dtype=arguments.dtype, compile=arguments.compile)
    policy = Policy.load(model, arguments.device)
    config = build_config(
        {
            "algorithm": "dapo",
            "run": {"steps": 100},
            "rollout": {"max_tokens": arguments.max_tokens, "group": GROUP},
            "batch": {
                "prompts": arguments.prompts, "minibatch": arguments.prompts, "layout": arguments.layout,
                "micro_tokens": arguments.micro_tokens,
            },
            "temperature": {"value": 1.0},
            "loss": {"denominator": "all"},
        }
    )  # fmt: skip
    tasks = [
        Task(Problem(str(index)), text, tuple(policy.tokenizer(text)["input_ids"]))
        for index, text in enumerate(prompts(policy.tokenizer))
    ]
    engine = TorchEngine(policy.model, policy.end_ids, rows=128)
    trainer = Trainer(config, policy, engine, Reward(), tasks)
    records, cpu = [], []
    for _ in range(WARM_UP + arguments.steps):
        began = time.process_time()
        records.append(trainer.train_step())
        cpu.append(time.process_time() - began)
    warm_up = [record["time/step"] for record in records[:WARM_UP]]
    records = records[WARM_UP:]
    return {
        "steps": [record["time/step"] for record in records],
        "cpu": cpu[WARM_UP:],
        "warm_up": warm_up,
        "tokens": [record["tokens"] for record in records],
        "peak_mb": peak_mb(),
        "signal": [record["prompts_with_signal"] for record in records],
        "split": {
            name: statistics.median(record[f"time/{name}"] for record in records) for name in ("sampling", "update")
        },
    }


def run_floor(arguments: argparse.Namespace) -> dict:
    """The matrix products of a step: of sampling, a token of every reply at a time, and of the update."""
    import torch

    torch.set_num_threads(arguments.threads)
    config = json.loads((arguments.folder / "model" / "config.json").read_text())
    hidden, inner, depth = config["hidden_size"], config["intermediate_size"], config["num_hidden_layers"]
    queries = config["num_attention_heads"] * config["head_dim"]
    keys_and_values = 2 * config["num_key_value_heads"] * config["head_dim"]
    layer = [(hidden, queries + keys_and_values), (queries, hidden), (hidden, 2 * inner), (inner, hidden)]
    shapes = [*layer * depth, (hidden, config["vocab_size"])]
    weights = [torch.randn(wide, narrow, dtype=getattr(torch, arguments.dtype)) for narrow, wide in shapes]
    replies = arguments.prompts * GROUP
    sampling, update = (
        [(weight.new_ones(rows, weight.shape[1]), weight) for weight in weights]
        for rows in (replies, arguments.micro_tokens)
    )
    steps, cpu = [], []
    for _ in range(WARM_UP + arguments.steps):
        began, began_cpu = time.perf_counter(), time.process_time()
        for _ in range(arguments.max_tokens):
            for inputs, weight in sampling:
                torch.mm(inputs, weight.T)
        for _ in range((replies * arguments.max_tokens + arguments.prompts * PROMPT_TOKENS) // arguments.micro_tokens):
            for inputs, weight in update:
                outputs = torch.mm(inputs, weight.T)
                torch.mm(outputs, weight)  # the gradient of the inputs
                torch.mm(outputs.T, inputs)  # that of the weight
        steps.append(time.perf_counter() - began)
        cpu.append(time.process_time() - began_cpu)
    tokens = [replies * arguments.max_tokens] * arguments.steps
    return {"steps": steps[WARM_UP:], "cpu": cpu[WARM_UP:], "tokens": tokens, "peak_mb": peak_mb(), "split": {}}


def run_trl(arguments: argparse.Namespace) -> dict:
    """TRL's GRPOTrainer on the same model, prompts, batch, and loss."""
    import torch
    from datasets import Dataset
    from transformers import AutoModelForCausalLM, AutoTokenizer, TrainerCallback
    from trl import GRPOConfig, GRPOTrainer

    torch.set_num_threads(arguments.threads)
    folder = str(arguments.folder / "model")
    tokenizer = AutoTokenizer.from_pretrained(folder, padding_side="left")
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32, attn_implementation="sdpa")
    seconds: list[float] = []
    cpu: list[float] = []
    tokens: list[int] = []

    class Clock(TrainerCallback):
        began = (0.0, 0.0)

        def on_step_begin(self, *_, **__):
            self.began = (time.perf_counter(), time.process_time())

        def on_step_end(self, *_, **__):
            seconds.append(time.perf_counter() - self.began[0])
            cpu.append(time.process_time() - self.began[1])

    def rewards(completions, completion_ids=None, **_):
        tokens.append(sum(len(ids) for ids in completion_ids))
        return [reward(text) for text in completions]

    config = GRPOConfig(
        output_dir=str(arguments.folder / "trl"), per_device_train_batch_size=32,
        gradient_accumulation_steps=arguments.prompts * GROUP // 32,
        num_generations=GROUP, max_completion_length=arguments.max_tokens,
        max_steps=WARM_UP + arguments.steps, learning_rate=1e-6, loss_type="dapo", epsilon=0.2, epsilon_high=0.28,
        beta=0.0, temperature=1.0, bf16=arguments.dtype == "bfloat16", use_cpu=arguments.device == "cpu",
        report_to=[], save_strategy="no", gradient_checkpointing=False, disable_tqdm=True, logging_strategy="no",
    )  # fmt: skip
    trainer = GRPOTrainer(
        model=model,
        reward_funcs=rewards,
        args=config,
        processing_class=tokenizer,
        train_dataset=Dataset.from_list([{"prompt": text} for text in prompts(tokenizer)]),
        callbacks=[Clock()],
    )
    trainer.train()
    return {
        "steps": seconds[WARM_UP:],
        "warm_up": seconds[:WARM_UP],
        "cpu": cpu[WARM_UP:],
        "tokens": tokens[WARM_UP:],
        "peak_mb": peak_mb(),
        "split": {},
    }


if __name__ == "__main__":
    main()
