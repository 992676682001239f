"""Tables of the guides have the figures of the results that they name."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import mean, median, quantiles, stdev
from typing import Any

import pytest

pytestmark = pytest.mark.fast
ROOT = Path(__file__).parent.parent


def results(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((ROOT / "bench" / "results" / f"{name}.json").read_text(encoding="utf-8"))
    return found


def rows(guide: str) -> list[str]:
    return (ROOT / guide).read_text(encoding="utf-8").splitlines()


def row(guide: str, beginning: str) -> list[str]:
    """The cells of the one table row that begins so."""
    found = [line for line in rows(guide) if line.startswith(f"| {beginning}")]
    assert len(found) == 1, f"{guide} has {len(found)} rows that begin with {beginning!r}"
    return [cell.strip() for cell in found[0].strip("|").split("|")]


@pytest.mark.parametrize(
    ("beginning", "contender"),
    [
        ("isolation `test`, full", "test"),
        ("isolation `submission`, full", "submission"),
        ("LiveCodeBench's `codegen_metrics`, no", "lcb"),
        ("DeepCoder's reward function (rLLM), no", "rllm"),
    ],
)
def test_grading_beside_its_peers(beginning: str, contender: str) -> None:
    found = results("eval_vs_peers")
    rounds = [each[contender] for each in found["rounds"]]
    a_second = found["programs"] * found["tests"] / median(each["wall_s"] for each in rounds)
    cpu_ms = 1000 * median(each["cpu_s"] for each in rounds) / found["programs"]
    assert row("README.md", beginning)[1:] == [f"{a_second:,.0f}", f"{cpu_ms:.1f}"]


@pytest.mark.parametrize(
    "contender", dict.fromkeys(each["contender"] for each in results("fidelity_vs_peers")["results"])
)
def test_verdicts_on_a_busy_machine(contender: str) -> None:
    measures = ("right_rejected", "several_rejected", "wrong_accepted", "lost", "median_s", "left")
    runs = [each for each in results("fidelity_vs_peers")["results"] if each["contender"] == contender]
    cells = row("README.md", f"{contender} |")[1:]
    for cell, measure in zip(cells, measures, strict=True):
        values = [f"{run[measure]:g}" for run in runs]
        assert cell in (", ".join(values), values[0] if len({*values}) == 1 else ""), measure


def test_near_duplicates() -> None:
    small, large = results("dedup_vs_peers")["sizes"]
    for beginning, contender in (
        ("ours | 1.2", "ours"),
        ("rensa", "rensa"),
        ("the usual loop over datasketch", "datasketch"),
    ):
        cpu, peaks = ([size[contender][measure] for size in (small, large)] for measure in ("cpu_s", "peak_mb"))
        assert row("README.md", beginning)[1:4] == [*(f"{each + 1e-9:.1f}" for each in cpu), ", ".join(map(str, peaks))]


def test_training_beside_trl() -> None:
    single, bf16 = results("train_vs_trl"), results("train_vs_trl_bf16")
    for beginning, contender in (("ours | 5.0 s", "ours"), ("TRL | 9.2", "trl")):
        pairs = [(each["median_s"][contender], each["peak_mb"][contender]) for each in (single, bf16)]
        assert row("README.md", beginning)[1:] == [cell for s, mb in pairs for cell in (f"{s:.1f} s", f"{mb:,.0f}")]


@pytest.mark.parametrize(
    ("beginning", "contender"),
    [
        ("`Grader`, isolation `test` | 0.2", "library"),
        ("`Grader`, isolation `submission` | 0.2", "submission"),
        ("the service, `connect(", "service"),
        ("verl's `prime_code`, reply by reply | 22.9", "verl"),
        ("LiveCodeBench's `check_correctness`", "lcb"),
        ("rLLM's reward function", "rllm"),
    ],
)
def test_a_training_step(beginning: str, contender: str) -> None:
    run = next(each[contender] for each in results("step_load")["rounds"] if contender in each)
    seconds = [f"{run[measure]:.1f}" for measure in ("tail_s", "p50_s", "p99_s", "cpu_s")]
    wrong = sum(run["wrong"].values())
    assert row("docs/grading_speed.md", beginning)[1:] == [*seconds, f"{run['peak_mb']:,.0f}", str(wrong)]


@pytest.mark.parametrize(
    ("order", "contender"),
    [(order, contender) for order in ("as they came", "long tests later") for contender in ("library", "submission")],
)
def test_the_order_of_waiting_programs(order: str, contender: str) -> None:
    name = "step_load_long_last" if order == "long tests later" else "step_load_as_they_came"
    (run,) = results(name)["rounds"]
    isolation = "test" if contender == "library" else contender
    shown = row("docs/grading_speed.md", f"{order}, `{isolation}`")[1:]
    measures = [(run[contender][key], run[contender][key] / run["lcb"][key]) for key in ("p50_s", "p99_s")]
    assert shown == [text for seconds, ratio in measures for text in (f"{seconds:.1f}", f"{ratio:.2f}")]


SWITCHED = {
    "nothing switched off": ("switches", "same"),
    "the pages that every run": ("switches", "pages copied at the fork"),
    "objects are freed": ("switches", "destructors only where they may print"),
    "a typical program": ("switches", "a typical run before the first fork"),
    "the interpreter's code": ("switches", "code on huge pages"),
    "its data too": ("switches_huge_data", "data on huge pages"),
    "a program's objects": ("switches_arenas", "objects in huge pages"),
    "the same, small tests": ("switches_arenas", "the same, small tests"),
    "a program gets the smallest": ("switches", "the smallest interpreter for a program"),
    "the same, a program that ends": ("switches_endless", "the same, a program that ends"),
    "long texts are sent": ("switches", "long texts in sealed files"),
    "outputs are in huge pages": ("switches_huge_files", "long outputs in huge pages"),
    "short outputs of a shared": ("switches_session", "short outputs left in their page"),
    "a shared process gets": ("switches_groups", "short inputs given together"),
    "a single thread": ("switches_groups", "few looks at a program that computes"),
}


@pytest.mark.parametrize("beginning", SWITCHED)
def test_what_each_optimisation_saves(beginning: str) -> None:
    name, switch = SWITCHED[beginning]
    cpu = results(name)["ratios"][switch]["cpu"]
    low, _, high = quantiles(cpu, n=4)
    assert row("docs/grading_speed.md", beginning)[1:] == [f"{median(cpu):.2f}", f"{low:.2f}-{high:.2f}"]


@pytest.mark.parametrize(
    ("beginning", "samples"),
    [
        ("all samples, as", "all"),
        ("only samples worse", "worse"),
        ("only better", "better"),
        ("all, with the ratio", "clipped"),
        ("all, with a tenth", "slow"),
    ],
)
def test_stored_samples(beginning: str, samples: str) -> None:
    seeds = [seed[samples] for seed in results("stored_samples")["seeds"]]
    accuracy, gap = [100 * seed["accuracy"] for seed in seeds], mean(seed["gap"] for seed in seeds)
    margin = 4.303 * stdev(accuracy) / len(seeds) ** 0.5  # Student's t for three seeds
    shown = f"{mean(accuracy):.1f} ±{margin:.1f} %" if margin else f"{mean(accuracy):.1f} %"
    assert row("docs/algorithms.md", beginning)[1:] == [shown, f"{gap:.1f}" if gap > 1 else f"{gap:.2f}"]


@pytest.mark.parametrize(
    ("beginning", "samples"), [("the same as", None), ("EvalPlus, on 39", "humaneval"), ("EvalPlus, on 59", "mbpp")]
)
def test_verdicts_like_the_publishers(beginning: str, samples: str | None) -> None:
    if samples is None:
        found = results("livecodebench_agreement")
        theirs, ours = found["their_scores"]["pass@1"], found["our_scores"]["pass@1"]
        beginning = "LiveCodeBench's evaluator, with"
    else:
        found = results(f"evalplus_{samples}")
        theirs, ours = found["theirs"][1], found["ours"]["base + extra tests"]["pass@1"]
    shown = [f"{found['programs']:,}", str(len(found["differing"])), f"{theirs:.4f}, {ours:.4f}"]
    assert row("README.md", beginning)[1:] == shown
