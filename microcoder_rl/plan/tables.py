"""Shows a plan: as tables in the terminal, and as plain data for --json."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

from rich.console import Console
from rich.table import Table

from microcoder_eval.plural import counted
from microcoder_rl.plan.advice import Advice
from microcoder_rl.plan.duration import peak_operations
from microcoder_rl.plan.memory import PHASES
from microcoder_rl.plan.plan import Plan, engine_room, gib, roughness
from microcoder_rl.recipe.datasets import missing_dataset, recipe_datasets

MOST_WORKERS = 256
"""More graders than this are no advice: nobody has the cores."""


def show_plan(console: Console, plan: Plan, advice: Advice | None) -> None:
    """Print memory, time, what does not fit, and the advice."""
    job = plan.job
    devices = job.device.name if job.device.is_cpu else f"{job.gpus} x {job.device.name}"
    console.print(
        f"{job.config.run.name}: {job.config.model.path}, {millions(job.shape.parameters)} parameters, "
        f"{job.config.model.dtype}, on {devices} with {gib(job.device.memory)}{'' if job.gpus == 1 else ' each'}"
    )
    console.print(_memory_table(plan))
    console.print(_time_table(plan))
    for note in notes(plan):
        console.print(note, style="dim")
    for problem in plan.problems:
        console.print(f"does not fit: {problem}", style="bold red")
    if not plan.problems:
        console.print(f"fits: {gib(plan.peak)} of {gib(job.device.memory)} at the peak", style="bold green")
    elif advice:
        if not advice.plan.problems:
            console.print(f"it fits with {advice}: {gib(advice.plan.peak)}", style="bold")
        else:
            console.print(
                f"nothing that was tried fits: even with {advice} it needs {gib(advice.plan.peak)}. "
                "Try a smaller model, model.lora.rank=16, or a larger machine (--gpu, --gpu-memory).",
                style="bold",
            )


def notes(plan: Plan) -> Iterator[str]:
    """The assumptions behind the numbers, as sentences."""
    job, duration = plan.job, plan.duration
    yield (
        f"Memory is for prompts of {job.longest_prompt} and replies of {job.longest_reply} tokens; time for "
        f"{job.mean_prompt:.0f} and {job.mean_reply:.0f} (--assume prompt_tokens=..., reply_tokens=...), "
        f"{100 * job.assumed.update_share:.0f} % of {peak_operations(job) / 1e12:.4g} TFLOP/s in the update "
        f"(update_share) and {100 * job.assumed.sampling_share:.0f} % of "
        f"{job.assumed.bandwidth or job.device.bandwidth:.0f} GB/s in decoding (sampling_share)."
    )
    if rough := roughness(job):
        yield f"{rough[0].upper()}{rough[1:]}."
    for key, path in recipe_datasets(job.config).items():
        if missing := missing_dataset(path):
            yield f"{key}: {missing}. The run needs it; here its lengths and sizes are assumed."
    if job.engine_apart:
        yield f"Replies are sampled on other devices: the cost counts {duration.gpus - job.gpus} more GPUs."
    room = engine_room(job)
    if room is not None:
        yield f"vLLM's cache holds {room:.1f} replies of full length at a time, or more shorter ones."
    if duration.grading_waited > 1:
        workers = int(job.replies * job.grade_s / max(duration.sampling, 1e-9)) + 1
        enough = not job.device.is_cpu and workers <= MOST_WORKERS
        more = f"grader.workers={workers}, on as many cores, hides it; " if enough else ""
        yield (
            f"Grading (grade_s={job.grade_s:g}) is slower than sampling: {more}rollout.staleness=1 grades during the "
            "update. What a reply takes on your problems is the CPU time in a run of eval grade."
        )


def as_data(plan: Plan, advice: Advice | None) -> dict[str, Any]:
    """The plan as one JSON object; bytes and seconds."""
    job, duration = plan.job, plan.duration
    return {
        "recipe": job.config.run.name,
        "model": job.config.model.path,
        "parameters": job.shape.parameters,
        "device": {**dataclasses.asdict(job.device), "count": job.gpus},
        "prompt_tokens": {"longest": job.longest_prompt, "mean": job.mean_prompt},
        "reply_tokens": {"longest": job.longest_reply, "mean": job.mean_reply},
        "memory": {item.name: dict(item.bytes) for item in plan.items},
        "peak_by_phase": plan.peaks,
        "peak": plan.peak,
        "fits": not plan.problems,
        "problems": plan.problems,
        "advice": {"changes": [*map(str, advice.changes)], "peak": advice.plan.peak, "fits": not advice.plan.problems}
        if advice
        else None,
        "seconds_per_step": {**_parts(plan), "step": duration.step},
        "steps": duration.steps,
        "run_seconds": duration.run,
        "gpu_hours": None if job.device.is_cpu else duration.gpu_hours,
        "cost": duration.gpu_hours * job.assumed.price if job.assumed.price else None,
        "assumed": dataclasses.asdict(job.assumed),
    }


def _memory_table(plan: Plan) -> Table:
    where = "in the process" if plan.job.device.is_cpu else "on one GPU" if plan.job.gpus > 1 else "on the GPU"
    table = Table(f"memory {where}", *PHASES)
    for column in table.columns[1:]:
        column.justify = "right"
    for item in plan.items:
        if any(item.bytes.values()):
            table.add_row(item.name, *(gib(item.bytes[phase]) if item.bytes[phase] else "" for phase in PHASES))
    table.add_section()
    table.add_row("sum", *(gib(count) for count in plan.peaks.values()), style="bold")
    return table


def _time_table(plan: Plan) -> Table:
    duration, job = plan.duration, plan.job
    table = Table("time of a mean step", "")
    table.columns[1].justify = "right"
    for name, seconds in _parts(plan).items():
        if seconds >= 0.001:
            table.add_row(name, span(seconds))
    table.add_section()
    table.add_row("step", span(duration.step), style="bold")
    cost = "" if job.device.is_cpu else f", {duration.gpu_hours:.3g} GPU hours"
    if job.assumed.price:
        cost += f", cost {duration.gpu_hours * job.assumed.price:,.0f}"
    table.add_row(f"run of {counted(duration.steps, 'step')}", span(duration.run) + cost, style="bold")
    return table


def _parts(plan: Plan) -> dict[str, float]:
    duration = plan.duration
    return {
        "sampling": duration.sampling,
        "waiting for grades": duration.grading_waited,
        "update": duration.update,
        "weights to the engine": duration.weights,
        "evaluation, its share": duration.evaluation,
        "checkpoint, its share": duration.checkpoint,
    }


def millions(count: int) -> str:
    """A number of parameters in millions.

    >>> millions(1_543_714_304), millions(234_000)
    ('1,544 M', '0.23 M')
    """
    return f"{count / 1e6:,.0f} M" if count >= 1e7 else f"{count / 1e6:.2g} M"


def span(seconds: float) -> str:
    """
    >>> span(0.25), span(90), span(5400), span(300000)
    ('0.25 s', '90 s', '90 min', '83.3 h')
    """
    if seconds < 100:
        return f"{seconds:.2g} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"
