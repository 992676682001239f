"""`microcoder eval generate`: sample a model on a dataset or benchmark, grade its replies, print the paper's table.

The work is in `microcoder_rl/generate/`.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from microcoder_eval.command_line import echo, json_option, show_json, talk_options
from microcoder_eval.command_options import policy_option
from microcoder_eval.errors import InputError
from microcoder_eval.plural import counted
from microcoder_rl.commands.messages import one_line_errors
from microcoder_rl.launched import has_several_ranks

if TYPE_CHECKING:
    from microcoder_rl.generate.models import ModelFolder, ServedModel
    from microcoder_rl.generate.questions import QuestionSet
    from microcoder_rl.generate.run import Sampling
    from microcoder_rl.recipe.config import Config

path_type = click.Path(path_type=Path)
ENGINES = ("torch", "vllm", "vllm-server", "openai")


@click.command()
@click.option(
    "--model", required=True, help="A model folder or hub name; with --engine openai, the server's model name."
)
@click.option("--problems", type=path_type, help="A dataset folder, a Parquet file or problems as JSON lines.")
@click.option("--livecodebench", type=path_type, help="LiveCodeBench's test*.jsonl file, or their directory.")
@click.option("--release", help="LiveCodeBench: release_v1 to release_v6, v1 to v6, or a slice such as v4_v6.")
@click.option("--out", type=path_type, required=True, help="Directory for replies, grades, summary and report.")
@click.option(
    "--engine", type=click.Choice(ENGINES), default="torch", show_default=True, help="What samples the replies."
)
@click.option(
    "--url", default="", help="openai: the server, as http://host:8000/v1. vllm-server: a running server to use."
)
@click.option("--samples", type=click.IntRange(1), default=4, show_default=True, help="Replies to each problem.")
@click.option("--temperature", type=click.FloatRange(0), default=0.6, show_default=True, help="0 is greedy.")
@click.option("--max-tokens", type=click.IntRange(1), default=8192, show_default=True, help="Length limit of a reply.")
@click.option("--seed", default=0, show_default=True, help="Seed of the replies.")
@click.option("--limit", type=click.IntRange(1), help="Use only the first N problems.")
@click.option("--prompt", type=path_type, help="A file with a prompt template: {statement}, {starter_code}.")
@click.option(
    "--dtype",
    type=click.Choice(["float32", "bfloat16"]),
    default="bfloat16",
    show_default=True,
    help="Type of the weights.",
)
@click.option("--rows", type=click.IntRange(1), default=128, show_default=True, help="Replies sampled at a time.")
@click.option(
    "--tensor-parallel", type=click.IntRange(1), default=1, show_default=True, help="vLLM: number of devices."
)
@click.option(
    "--memory-share", type=click.FloatRange(0, 1), default=0.9, show_default=True, help="vLLM: share of a GPU's memory."
)
@policy_option
@click.option("--workers", type=click.IntRange(1), help="Tests run at a time.  [default: one for each CPU]")
@click.option("--resume", is_flag=True, help="Continue a run that was stopped.")
@talk_options
@json_option
def generate(out: Path, samples: int, temperature: float, max_tokens: int, seed: int, **options: Any) -> None:
    """Sample a model on problems and grade its replies at the same time.

    Writes OUT/samples.jsonl and the files of `microcoder eval grade`. With --resume only missing replies are sampled;
    a larger --samples adds replies.

    \b
    Example:
      microcoder eval generate --model my/model --problems problems.jsonl --out runs/mine --engine vllm
    """
    with one_line_errors("stopped; continue with --resume"):
        from microcoder_eval.terminal import show_summary
        from microcoder_rl.generate.run import Sampling, sample_and_grade_into

        if has_several_ranks():
            raise InputError("eval generate is one process: leave torchrun out; --tensor-parallel uses several GPUs")
        how = Sampling(samples, temperature, max_tokens, seed)
        template = _template(options["prompt"])
        model = _open_model(out, options)
        asked = _read_questions(model, template, how, options)
        data = str(options["problems"] or options["livecodebench"])
        with model.source(asked.tasks, how) as source:
            summary = sample_and_grade_into(
                out,
                asked.tasks,
                source,
                how,
                problem_of=asked.problem_of,
                grading={"policy": options["policy"], "isolation": "test"},
                about={"model": options["model"], "data": data, "release": options["release"], "prompt": template},
                workers=options["workers"],
                resume=options["resume"],
                quiet=options["quiet"],
            )
        if options["as_json"]:
            show_json(summary)
            return
        show_summary(summary, out)
        echo(truncation_line(summary["truncation"]))


def truncation_line(found: dict[str, Any]) -> str:
    """One line that says how often replies were cut, and how many of them were accepted."""
    share = found["share"]
    interval = "" if share["low"] is None else f" ({100 * share['low']:.1f}-{100 * share['high']:.1f})"
    accepted = [
        f"{100 * found[key]:.1f} % of the {name} accepted"
        for key, name in (("accepted_when_cut", "cut"), ("accepted_when_whole", "whole"))
        if found[key] is not None
    ]
    return (
        f"cut at {found['limit']} tokens: {100 * share['value']:.1f} %{interval}; {', '.join(accepted)}; tokens: mean "
        f"{found['mean_tokens']:.0f}, median {found['median_tokens']}, longest {found['longest_tokens']}"
    )


def _template(path: Path | None) -> str:
    if path is None:
        return ""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"--prompt: {path} cannot be read: {error}") from None
    return text


def _config(out: Path, options: dict[str, Any]) -> Config:
    from microcoder_rl.recipe import build_config

    path = Path(options["model"])
    return build_config(
        {
            "run": {"out": str(out)},
            "model": {"path": str(path.resolve()) if path.exists() else options["model"], "dtype": options["dtype"]},
            "rollout": {"engine": options["engine"], "rows": options["rows"]},
            "vllm": {
                "url": options["url"] if options["engine"] == "vllm-server" else "",
                "tensor_parallel": options["tensor_parallel"],
                "memory_share": options["memory_share"],
            },
        },
        "eval generate",
    )


def _open_model(out: Path, options: dict[str, Any]) -> ServedModel | ModelFolder:
    from microcoder_rl.generate.models import ModelFolder, ServedModel
    from microcoder_rl.recipe.model_source import refuse_missing_model

    if options["engine"] == "openai":
        return ServedModel(options["url"], options["model"], parallel=options["rows"])
    refuse_missing_model(options["model"], key="--model")  # or a hub that cannot be reached is asked five times
    return ModelFolder(_config(out, options), partial(echo, err=True))


def _read_questions(
    model: ServedModel | ModelFolder, template: str, how: Sampling, options: dict[str, Any]
) -> QuestionSet:
    from microcoder_rl.generate.questions import read_dataset, read_livecodebench
    from microcoder_rl.recipe.config import DataConfig

    if (options["problems"] is None) == (options["livecodebench"] is None):
        raise InputError("give either --problems or --livecodebench")
    longest = model.context - how.max_tokens
    if longest < 1:
        raise InputError(f"--max-tokens {how.max_tokens} leaves no room for a prompt in a context of {model.context}")
    data, limit = DataConfig(prompt=template, max_prompt_tokens=longest), options["limit"]
    if options["livecodebench"]:
        return read_livecodebench(options["livecodebench"], options["release"], model.tokenizer, data, limit=limit)
    found = read_dataset(options["problems"], model.tokenizer, data, limit=limit)
    if found.left_out:
        echo(f"{counted(len(found.left_out), 'problem')} left out, such as {found.left_out[0]}", err=True)
    return found
