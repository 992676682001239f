"""One adapter a published dataset: `to_row(record, spec)` from the publisher's own schema to a Row, or a `Reject`.

To add a source, write its file and add a line to `SOURCES`.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from microcoder_data.code_version import code_version
from microcoder_data.reading.specification import SourceSpec
from microcoder_data.schema import Row
from microcoder_eval import InputError
from microcoder_eval.suggest import did_you_mean

Adapter = Callable[[Mapping[str, Any], SourceSpec], Row]

SOURCES = {
    "taco": "BAAI/TACO and likaixin/TACO-verified",
    "apps": "codeparrot/apps and likaixin/APPS-verified",
    "code_contests": "deepmind/code_contests",
    "code_contests_plus": "ByteDance-Seed/Code-Contests-Plus, default and 1x to 5x",
    "code_contests_o": "caijanfeng/CodeContests-O: CodeContests with improved tests and checkers",
    "hardtests": "sigcp/hardtests_problems, joined with its tests",
    "deepcoder": "agentica-org/DeepCoder-Preview-Dataset, every configuration",
    "leetcode_dataset": "newfacade/LeetCodeDataset, v0.2.0 to v0.3.1",
    "livecodebench": "livecodebench/code_generation_lite (a benchmark: its rows are split `test`)",
    "humaneval": "openai/human-eval (a benchmark: its rows are split `test`)",
    "mbpp_plus": "EvalPlus's MBPP+ (a benchmark: its rows are split `test`)",
    "mbpp": "google-research MBPP (a benchmark: its rows are split `test`)",
    "humaneval_plus": "EvalPlus's HumanEval+ (a benchmark: its rows are split `test`)",
    "aethercode": "m-a-p/AetherCode (a benchmark: its rows are split `test`)",
    "prime_intellect": "PrimeIntellect verifiable-coding-problems, and the code of SYNTHETIC-1",
    "open_r1_verifiable": "open-r1/verifiable-coding-problems-python",
    "open_r1_codeforces": "open-r1/codeforces: official and generated tests, checkers",
    "opencodereasoning": "nvidia/OpenCodeReasoning, joined with the datasets that it answers",
    "opencodereasoning_2": "nvidia/OpenCodeReasoning-2, joined in the same way",
    "nemotron_code": "nvidia's Nemotron RL competitive coding, and NeMo Gym's code_gen rows",
    "synthetic_2": "PrimeIntellect/SYNTHETIC-2: its tasks with tests",
    "kodcode": "KodCode/KodCode-V1, published and as generated (not for commercial use)",
    "rstar_coder": "microsoft/rStar-Coder, every configuration; those without tests are rejected",
    "doocs_leetcode": "doocs/leetcode: statements, solutions, examples as tests",
    "atcoder_statements": "AtCoder statements with samples as tests",
    "exercism": "exercism's Python track",
    "kattis": "ICPC/Kattis problem packages: directories, zips, with validators and jury submissions",
    "polygon": "Codeforces' Polygon packages: directories, zips, with checkers and authors' solutions",
    "dmoj": "DMOJ's packages (init.yml), and OJBench, joined with their statements",
    "cms": "CMS' task packages (task.yaml) of olympiads",
    "frontier_cs": "Frontier-CS's packages (a benchmark: its rows are split `test`)",
    "livecodebench_pro": "LiveCodeBench-Pro: tests in zips, joined with statements (a benchmark: split `test`)",
    "live_oi_bench": "LiveOIBench, joined with its tests and subtasks (a benchmark: split `test`)",
    "folders": "your own problems in a folder each: a statement, tests as files, programs",
    "generic": "your own records, by `fields`; without them, the project's problem format",
}

READING = ("microcoder_data.conversion", *(f"microcoder_data.sources.{name}" for name in SOURCES))
"""The modules that turn records into rows."""


def adapter(name: str) -> Adapter:
    """The adapter called `name`.

    >>> adapter("taco").__name__
    'to_row'
    """
    if name not in SOURCES:
        raise InputError(f"unknown source {name!r}{did_you_mean(name, SOURCES, or_list=True)}")
    module = importlib.import_module(f"microcoder_data.sources.{name}")
    to_row: Adapter = module.to_row
    return to_row


@lru_cache(maxsize=1)
def reading_version() -> str:
    """The version of the code that turns records into rows: when it changes, Collect makes its shards again.

    It covers every adapter, because they share code. Later stages keep their results for shards that come out equal.
    """
    return code_version(*READING)
