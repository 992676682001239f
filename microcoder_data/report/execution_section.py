"""The part of a dataset's report about running the solutions: what was run, and what a cap on tests costs."""

from __future__ import annotations

from microcoder_data.report.account import Account
from microcoder_data.verify.cap_by_strength import CHOICES, Cap
from microcoder_eval.plural import counted
from microcoder_eval.report.page import Bar, Figure, Html, bar_chart, element, figures, section, side_by_side, table

_NOTES = (
    ("guessed checkers taken back", "Checkers guessed from the statement, without a proof, taken back"),
    ("rows given a checker", "Problems with several right answers, given a checker"),
    ("rows needing a checker", "Problems with several right answers and no checker that fits"),
    ("rows needing a checker: any of a fixed set", "Of these, problems whose answers are single numbers or words"),
    ("solutions not deterministic", "Solutions accepted once and not a second time"),
    ("right solutions that do not compile", "Right solutions that do not compile here"),
    ("mutants equivalent", "Surviving mutants with the right answer on every made input, so likely right"),
    ("mutants unreached", "Possible mutants left out, because no test reaches their line"),
    (
        "rows not traced",
        "Problems whose mutants may be on any line, because the lines that tests reach are not known",
    ),
    (
        "rows whose promises are not proven",
        "Problems without generated tests: no validator checks what they promise",
    ),
    ("time limits raised", "Time limits raised for the slowest right solution"),
    ("time limits lowered", "Time limits that no source had given, set from measured times"),
    ("rows out of time", "Problems that used up their CPU time before everything was done"),
)


def execution(account: Account) -> list[Html]:
    """The sections; none when nothing was executed."""
    ran = account.executed
    if not ran.get("rows executed") and not ran.get("rows not executed"):
        return []
    parts = [
        figures(_figures(ran)),
        side_by_side(_why_not_executed(account.not_executed), _caps(account)),
        *_notes(ran),
    ]
    note = "Right solutions against the tests, and the tests against wrong solutions and mutants of right ones."
    return [section("Verified by execution", *parts, note=note)]


def _figures(ran: dict[str, int]) -> list[Figure]:
    contradicted = ran.get("tests contradicted", 0)
    shown = [Figure("Problems executed", f"{ran.get('rows executed', 0):,}", _not_executed(ran))]
    for label, part, whole in (
        ("Right solutions accepted", "right solutions accepted", "right solutions run"),
        ("Wrong solutions rejected", "wrong rejected", "wrong run"),
        ("Mutants rejected", "mutants rejected", "mutants run"),
    ):
        if ran.get(whole):
            right = ran.get("mutants equivalent", 0) if whole == "mutants run" else 0
            more = f", {right:,} likely right" if right else ""
            if contradicted and whole == "right solutions run":  # the strength below is that of the tests left
                more = ", before the contradicted tests were dropped"
            shown.append(Figure(label, _percent(ran.get(part, 0), ran[whole]), f"of {ran[whole]:,}{more}"))
    in_rows = f"in {counted(ran.get('rows with contradicted tests', 0), 'problem')}"
    shown.append(Figure("Tests contradicted", f"{contradicted:,}", in_rows, "warn" if contradicted else ""))
    shown.append(
        Figure(
            "Tests generated",
            f"{ran.get('tests generated', 0):,}",
            f"for {counted(ran.get('rows strengthened', 0), 'problem')}",
        )
    )
    return shown


def _not_executed(ran: dict[str, int]) -> str:
    count = ran.get("rows not executed", 0)
    return f"{count:,} could not be" if count else ""


def _why_not_executed(reasons: dict[str, int]) -> Html:
    if not reasons:
        return section("Not executed", element("p", "Every problem was executed.", class_="note"))
    listed = sorted(reasons.items(), key=lambda pair: (-pair[1], pair[0]))[:20]
    return section("Not executed", table(["Why", "Problems"], [(why, f"{n:,}") for why, n in listed], numbers=(1,)))


def _caps(account: Account) -> Html:
    """What a cap on tests costs: wrong solutions that all tests together reject but the capped tests accept."""
    ran = account.executed
    verify = account.manifest["config"]["verify"]
    limit = ((verify.get("execution") or {}).get("cap") or {}).get("limit") or Cap().limit
    title = f"What a cap of {limit} tests costs"
    capped_before = ((account.manifest["config"]["filter"].get("tests") or {}).get("choose") or "all") != "all"
    if capped_before:
        said = "Tests were capped before they were run (filter.tests), so what that costs is not known."
        return section(title, element("p", f"{said} verify.execution.cap measures it.", class_="note"))
    whole = ran.get("capped rejected", 0)
    if not whole:
        return section(title, element("p", "No problem with wrong solutions has more tests than that.", class_="note"))
    bars = []
    for how in CHOICES:
        passing = ran.get(f"capped {how} passing", 0)
        bars.append(Bar(how, passing, f"{passing:,} of {whole:,}  ({_percent(passing, whole)})", "bad"))
    note = (
        "Wrong solutions that all tests reject and the kept ones accept, by how they are chosen. "
        'Here "strong" is chosen by mutants alone, without knowing the wrong solutions.'
    )
    return section(title, bar_chart(title, bars), note=note)


def _notes(ran: dict[str, int]) -> list[Html]:
    lines = [element("li", f"{said}: {ran[name]:,}.") for name, said in _NOTES if ran.get(name)]
    return [element("ul", *lines, class_="note")] if lines else []


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %"
