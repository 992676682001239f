"""The page report.html of a dataset: collected rows, the rows dropped at each stage and why, published rows.

write_report(Path("dataset"))        # dataset/report.html
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from microcoder_data.compare.settings import CONTAMINATION_RULE
from microcoder_data.faults import OUR_FAULT
from microcoder_data.report.account import UNKNOWN, Account
from microcoder_data.report.bins import STRENGTHS, TESTS
from microcoder_data.report.execution_section import execution
from microcoder_data.report.fidelity_section import fidelity_section
from microcoder_data.report.fitness_section import fitness
from microcoder_data.report.pass_rate_section import pass_rates
from microcoder_data.report.rows_section import rows_section
from microcoder_data.report.strength_section import strength
from microcoder_data.rules import rule_name
from microcoder_eval.difficulty_levels import DIFFICULTY_LEVELS
from microcoder_eval.plural import counted
from microcoder_eval.report.cells import share
from microcoder_eval.report.page import (
    Bar,
    Figure,
    Html,
    bar_chart,
    element,
    figures,
    page,
    section,
    side_by_side,
    table,
    write_page,
)

MOST_BARS = 14
_LEVELS = (*DIFFICULTY_LEVELS, UNKNOWN)


def write_report(directory: Path, account: Account) -> Path:
    """Write DIRECTORY/report.html."""
    out = directory / "report.html"
    write_page(out, dataset_report(account, rows_section(directory)))
    return out


def dataset_report(account: Account, rows: Html | None = None) -> str:
    """The page. Equal builds give equal bytes. `rows`: the part in which each row can be opened."""
    manifest = account.manifest
    lead = f"{counted(manifest['rows'], 'problem')} · logical hash {manifest['logical_sha256'][:16]}"
    return page(
        f"Dataset {manifest['name']}",
        *_said_first(account),
        figures(_figures(account)),
        *fitness(account),
        _funnel(account),
        _reasons(account),
        *execution(account),
        *strength(account.strengths, account.executed),
        *pass_rates(account.pass_rates),
        *_distributions(account),
        fidelity_section(account.losses),
        _duplicates(account),
        _contamination(account),
        *([rows] if rows else []),
        lead=lead + ("" if manifest["limit"] is None else f" · only the first {manifest['limit']:,} of each source"),
    )


def _said_first(account: Account) -> list[Html]:
    """What the reader must know before the numbers."""
    said = ((OUR_FAULT, account.faults), ("Warnings", account.manifest.get("warnings", [])))
    return [section(title, *(element("p", line) for line in lines)) for title, lines in said if lines]


def _figures(account: Account) -> list[Figure]:
    collected, kept = account.stages[0]["in"], account.manifest["rows"]
    merged = sum(stage["merged"] for stage in account.stages)
    dropped = sum(stage["dropped"] for stage in account.stages)
    files = len(account.manifest["inputs"])
    return [
        Figure("Problems", f"{kept:,}", f"of {counted(collected, 'record')}", "good"),
        Figure("Dropped", f"{dropped:,}", share(dropped, collected)),
        Figure("Merged duplicates", f"{merged:,}", share(merged, collected)),
        Figure("Sources", f"{len(account.after['source']):,}", f"{counted(files, 'file')} read"),
    ]


def _funnel(account: Account) -> Html:
    total = account.stages[0]["in"]
    bars = [Bar("records", total, f"{total:,}", "odd")]
    bars += [Bar(s["stage"], s["kept"], f"{s['kept']:,}  ({share(s['kept'], total)})") for s in account.stages]
    return section("Rows after each stage", bar_chart("Rows after each stage", bars))


def _reasons(account: Account) -> Html:
    title = "Why rows were dropped or merged"
    rows = [
        (stage, f"{why.outcome} {why.reason}", f"{count:,}", why.rule, account.remedies.get(why, ""))
        for stage, why, count in account.reasons()
    ]
    if not rows:
        return section(title, element("p", "No row was dropped or merged.", class_="note"))
    return section(title, table(["Stage", "Reason", "Rows", "Rule", "To keep them"], rows, numbers=(2,)))


def _distributions(account: Account) -> list[Html]:
    shown = [
        ("Sources", "source", None),
        ("Platforms", "platform", None),
        ("Contest dates", "year", "falling"),
        ("Languages", "language", None),
        ("Difficulty", "level", _LEVELS),
        ("Tests a problem", "tests", TESTS.names),
    ]
    note = "Collected rows in the pale bar, published rows in the full one." if account.before else ""
    charts = [
        _chart(title, account.before.get(name), account.after[name], order)
        for title, name, order in shown
        if {*account.before.get(name, ()), *account.after[name]} - {UNKNOWN}
    ]
    if account.after["strength"]:
        strengths = _chart("Strength of tests", None, account.after["strength"], STRENGTHS.names)
        charts.append(element("div", strengths, element("p", _STRENGTH, class_="note")))
    for title, name in (
        ("Kinds", "kind"),
        ("Checkers", "checker"),
        ("Verification", "status"),
        ("Licenses", "license"),
    ):
        charts.append(_chart(title, None, account.after[name], None))
    return [section("Before and after", side_by_side(*charts), note=note)]


_STRENGTH = (
    "Problems by the share of their wrong solutions, and of mutants on lines that tests reach, that the tests reject. "
    "Surviving mutants that no made input tells from the right solution are left out."
)


def _chart(title: str, before: Counter[str] | None, after: Counter[str], order: Sequence[str] | str | None) -> Html:
    """A bar for each value, with the count before in a paler bar if it is known; rare values together are `others`."""
    both = (before or Counter()) + after
    names = sorted(both, key=lambda name: (-both[name], name))
    if order == "falling":
        names = sorted(both, key=lambda name: (name == UNKNOWN, name))
    elif order is not None:
        names = [name for name in order if name in both]
    rare = names[MOST_BARS:] if order is None else []
    bars = []
    for name in [name for name in names if name not in rare] + (["others"] if rare else []):
        values = rare if name == "others" and rare else [name]
        now = sum(after[value] for value in values)
        if before is None:
            bars.append(Bar(name, now, f"{now:,}"))
            continue
        then = sum(before[value] for value in values)
        bars.append(Bar(name, then, f"{then:,} → {now:,}", part=now))
    return element("section", element("h3", title), bar_chart(title, bars))


def _duplicates(account: Account) -> Html:
    rows = [
        (entry["problem_id"], entry["duplicate_of"], reason, _number(entry["statistic"]), entry["title"] or "")
        for (_, _, outcome, reason), entries in account.examples.items()
        if outcome == "merged"
        for entry in entries
    ]
    if not rows:
        return section("Duplicates", element("p", "None were found.", class_="note"))
    note = "Examples of each way in which duplicates were found; all are in dropped/."
    headings = ["Merged", "Into", "Found by", "Similarity", "Title"]
    return section("Duplicates", table(headings, rows, numbers=(3,)), note=note)


def _contamination(account: Account) -> Html:
    removed = [
        (entry["problem_id"], "dropped", entry["detail"] or reason, _number(entry["statistic"]))
        for (_, rule, _, reason), entries in account.examples.items()
        if rule_name(rule) == rule_name(CONTAMINATION_RULE)
        for entry in entries
    ]
    kept = [
        (name, "kept", f"{found['benchmark']} {found['item'] or ''} by {found['method']}", _number(found["score"]))
        for name, found in account.near_benchmarks
    ]
    benchmarks = account.manifest["config"]["compare"].get("benchmarks") or []
    if not benchmarks:
        return section("Contamination", element("p", "No benchmark was named in the recipe.", class_="note"))
    names = ", ".join(str(benchmark["name"]) for benchmark in benchmarks)
    if not removed and not kept:
        return section("Contamination", element("p", f"No problem of {names} was found.", class_="note"))
    note = f"Compared with {names}. Kept rows are near a benchmark, but below the threshold."
    return section(
        "Contamination", table(["Problem", "Outcome", "Evidence", "Score"], removed + kept, numbers=(3,)), note=note
    )


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.3g}"
