"""Write the recipe for a user's own files as commented YAML. `fit_rules` has decided what it contains."""

from __future__ import annotations

import json
from typing import Any

from microcoder_data.own_files.fit_rules import WHY, Fitted
from microcoder_data.own_files.look import Seen
from microcoder_eval.plural import counted


def recipe_text(seen: Seen, fitted: Fitted, name: str) -> str:
    """The recipe's text."""
    lines = [
        f"# Made by `microcoder data init` from {counted(seen.rows, 'record')}. "
        "`microcoder data keys` explains every key.",
        *(f"# {line}" for line in seen.lines()),
        f"name: {_scalar(name)}",
        "sources:",
        f"  - source: {seen.source}",
        f"    name: {_scalar(name)}",
        f"    path: {_scalar(seen.patterns[0] if len(seen.patterns) == 1 else seen.patterns)}",
    ]
    if seen.fields:
        lines.append("    fields:  # column of a row: field of your records")
        lines += [f"      {column}: {_scalar(place)}" for column, place in seen.fields.items()]
    if seen.one_test_a_record:
        lines.append("    one_test_a_record: true  # records with the same problem_id make one problem")
    stages: dict[str, dict[str, dict[str, Any]]] = {}
    for key, value in fitted.settings.items():
        stage, rule, setting = key.split(".")
        stages.setdefault(stage, {}).setdefault(rule, {})[setting] = value
    for stage, rules in stages.items():
        lines.append(f"{stage}:")
        for rule, settings in rules.items():
            lines.append(f"  {rule}:")
            for setting, value in settings.items():
                key = f"{stage}.{rule}.{setting}"
                lines.append(f"    {setting}: {_scalar(value)}  # {fitted.rows[key]:,} of {seen.rows:,} {_why(key)}")
    if fitted.execution:
        lines += [
            "verify:",
            "  execution:  # run the solutions: drop tests that they contradict, and measure the tests' strength",
            "    row_seconds: 60  # CPU time for one problem",
        ]
    else:
        lines += ["# verify:", "#   execution: {}  # runs right solutions against the tests, where there are some"]
    lines += [
        "# filter:",
        "#   fit: rl  # keep only rows that are fit for reinforcement learning",
    ]
    return "\n".join(lines) + "\n"


def _why(key: str) -> str:
    return WHY.get(key, "would be dropped by the default")


def _scalar(value: Any) -> str:
    """A value as YAML writes it on one line; JSON is YAML."""
    if isinstance(value, str) and value.replace("_", "").replace("-", "").replace("/", "").replace(".", "").isalnum():
        return json.dumps(value) if value[0].isdigit() or value.lower() in _WORDS else value
    return json.dumps(value, ensure_ascii=False)


_WORDS = ("true", "false", "null", "yes", "no", "on", "off", "y", "n")
