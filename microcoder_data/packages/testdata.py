"""The tests of a package: samples and secret data, their groups, and the validator's flags for each."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from microcoder_data.packages.description import Description, words
from microcoder_data.packages.files import Package, read_yaml
from microcoder_data.packages.groups import Groups, groups_of
from microcoder_data.rules import Reject
from microcoder_data.schema import new_test

SETTINGS = ("testdata.yaml", "test_group.yaml")


@dataclass(frozen=True)
class TestData:
    """The content of data/."""

    __test__ = False

    tests: list[dict[str, Any]]
    samples: list[dict[str, Any]]
    flags: tuple[str, ...]
    """The validator's flags for most tests. A test with other flags has them in its column `flags`."""
    groups: Groups
    """The groups of a scoring problem in the grader's terms, without tests: each test names its groups."""
    interactions: str = ""
    """The sample interactions as the statement would show them."""


def tests_of(package: Package, description: Description) -> TestData:
    """Every test once, however many groups link to it; raises a Reject when a test cannot be used."""
    interactive = "interactive" in description.types
    settings: dict[str, dict[str, Any]] = {}
    tests: dict[tuple[str, tuple[str, ...]], dict[str, Any]] = {}
    samples = []
    flags: Counter[tuple[str, ...]] = Counter()
    for name in [*package.names("data/sample"), *package.names("data/secret")]:
        if not name.endswith(".in"):
            if name.endswith(".ans") and f"{name[:-4]}.in" not in package.sizes:
                raise Reject("answer_without_test", name)
            continue
        base = name[: -len(".in")]
        group = posixpath.dirname(base).removeprefix("data/")
        known = _settings(package, group, settings)
        own = {**known, **read_yaml(package, f"{base}.yaml")}
        if own.get("args") or package.names(f"{base}.files"):
            raise Reject(
                "needs_files" if not own.get("args") else "needs_arguments", f"{base} is not standard input only"
            )
        flag_list = _flags(own, description)
        flags[flag_list] += 1
        key = package.identity(name), flag_list
        if key not in tests:
            tests[key] = {**_test(package, base, group, interactive), "groups": [], "flags": list(flag_list)}
        if group not in tests[key]["groups"]:
            tests[key]["groups"].append(group)
        if group == "sample" and not interactive:
            samples.append(_sample(package, base, tests[key]))
    if not any(group != "sample" for test in tests.values() for group in test["groups"]):
        raise Reject("no_secret_tests", "data/secret holds no test")
    commonest = max(sorted(flags), key=flags.__getitem__)
    for (_, flag_list), test in tests.items():
        if flag_list == commonest:
            test["flags"] = None
    shown = [package.text(name).rstrip() for name in package.names("data/sample") if name.endswith(".interaction")]
    # If the validator gives the points, the jury also accepts programs below the full score: groups decide nothing.
    scored_by_groups = "scoring" in description.types and "score" not in description.types
    groups = groups_of(package, settings) if scored_by_groups else None
    return TestData(list(tests.values()), samples, commonest, groups, "\n\n".join(shown))


def _settings(package: Package, group: str, known: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """The settings of a group: its own, and for what these leave out, those of the groups above it.

    known: the settings found so far, by group; is added to.
    """
    if group not in known:
        above = _settings(package, posixpath.dirname(group), known) if group else {}
        known[group] = {**above, **_own_settings(package, group)}
    return known[group]


def _own_settings(package: Package, group: str) -> dict[str, Any]:
    own: dict[str, Any] = {}
    for file in SETTINGS:
        own.update(read_yaml(package, posixpath.join("data", group, file)))
    return own


def _flags(settings: Mapping[str, Any], description: Description) -> tuple[str, ...]:
    given = settings.get("output_validator_args", settings.get("output_validator_flags"))
    if isinstance(given, Mapping):  # by the validator's name; there is only one validator
        given = next(iter(given.values()), None)
    return (*description.flags, *words(given))


def _test(package: Package, base: str, group: str, interactive: bool) -> dict[str, Any]:
    answer = f"{base}.ans"
    if answer not in package.sizes and not interactive:
        raise Reject("test_without_answer", f"{base}.in")
    wanted = package.text(answer) if answer in package.sizes else ""
    return new_test(package.text(f"{base}.in"), wanted, public=group.split("/")[0] == "sample")


def _sample(package: Package, base: str, test: Mapping[str, Any]) -> dict[str, Any]:
    """A sample as the statement shows it."""

    def shown(name: str, real: str) -> str:
        return package.text(name) if name in package.sizes else real

    return {
        "input": shown(f"{base}.in.statement", test["input"]),
        "output": shown(f"{base}.ans.statement", test["output"]),
        "explanation": None,
    }
