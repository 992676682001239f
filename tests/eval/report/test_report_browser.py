"""The report as a reader uses it, in headless Chromium: search, sort, drill-down, keyboard, phone, hostile text."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from microcoder_eval import Grade, Verdict
from microcoder_eval.grading.grade_files import grade_files
from microcoder_eval.grading.options import GradingOptions
from microcoder_eval.problem_attributes import ProblemAttributes
from microcoder_eval.report.changes import compare_runs
from microcoder_eval.report.changes_report import changes_report
from microcoder_eval.report.chart import Line, line_chart
from microcoder_eval.report.page import element, page, section, write_page
from microcoder_eval.report.run_report import write_run_report
from microcoder_eval.report.searchable_table import CODE_CHARACTERS, Column, DetailPart, SearchableTable
from microcoder_eval.runs.grading_run import GradingRun
from microcoder_eval.verdict import GroupResult
from tests.eval.made_up_runs import graded, write_lines, write_run

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
if CHROMIUM is None:
    pytest.skip("no Chromium on this machine", allow_module_level=True)

Open = Callable[..., Any]
COMPLAINTS = ("error", "warning", "assert")
"""What a browser says besides is its own business."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as running:
        flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--disable-sync"]
        opened = running.chromium.launch(executable_path=CHROMIUM, args=flags)
        yield opened
        opened.close()


@pytest.fixture
def show(browser: Any) -> Iterator[Open]:
    """Opens a page offline. At the end, no script may have failed and no request may have been made."""
    contexts, wrong = [], []

    def opened(file: Path, fragment: str = "", **options: Any) -> Any:
        context = browser.new_context(offline=True, **options)
        contexts.append(context)
        tab = context.new_page()
        tab.set_default_timeout(120_000)
        tab.on("pageerror", lambda error: wrong.append(f"error: {error}"))
        tab.on("console", lambda said: wrong.append(f"console: {said.text}") if said.type in COMPLAINTS else None)
        tab.on("dialog", lambda dialog: wrong.append(f"dialog: {dialog.message}"))
        tab.on("request", lambda request: wrong.append(request.url) if not request.url.startswith("file:") else None)
        tab.goto(file.as_uri() + fragment)
        return tab

    yield opened
    for context in contexts:
        context.close()
    assert not wrong


def test_a_tap_on_a_chart_shows_the_values_there(show: Open, tmp_path: Path) -> None:
    chart = line_chart("Reward", [Line("a", [(1, 0.25), (2, 0.5)]), Line("b", [(1, 0.75), (2, 0.9)])])
    write_page(tmp_path / "page.html", page("Run", section("Curves", chart)))
    tab = show(tmp_path / "page.html", viewport={"width": 390, "height": 800}, has_touch=True)
    tab.locator(".chart circle").nth(1).tap()
    assert tab.locator(".chart output").inner_text() == "2\na: 0.5\nb: 0.9"


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("charts", [1, 4, 7])
def test_the_letters_of_a_chart_can_be_read_at_every_size(show: Open, tmp_path: Path, charts: int, width: int) -> None:
    chart = line_chart("Diversity", [Line("a", [(1, 0.9851), (2, 0.9899)])])
    write_page(tmp_path / "page.html", page("Run", element("div", *[chart] * charts, class_="charts")))
    tab = show(tmp_path / "page.html", viewport={"width": width, "height": 800})
    letters = """[...document.querySelectorAll('.chart text')].map((text) => {
        const frame = text.ownerSVGElement.getBoundingClientRect(), box = text.getBoundingClientRect();
        const scale = frame.width / text.ownerSVGElement.viewBox.baseVal.width;
        return [scale * parseFloat(getComputedStyle(text).fontSize), box.left - frame.left]; })"""
    sizes = tab.evaluate(letters)
    assert all(9.5 < size < 14.5 and left >= 0 for size, left in sizes), sizes


def many() -> list[Grade]:
    """120 submissions: every third wrong, every tenth slow; the CPU time is the number."""
    grades = []
    for i in range(120):
        verdict = Verdict.WRONG_ANSWER if i % 3 == 0 else Verdict.TIME_LIMIT if i % 10 == 0 else Verdict.ACCEPTED
        detail = "" if verdict is Verdict.ACCEPTED else f"line 1, token 1: expected '{i}', got '{i + 1}'"
        code = f"import sys\n\ndef solve{i}(n):\n    return 'text' + str(n)  # a comment\n"
        grades.append(graded(f"s{i}", f"p{i // 4:02d}", verdict, cpu_ms=float(i), detail=detail, code=code))
    return grades


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    attributes = {f"p{i:02d}": ProblemAttributes(("atcoder", "leetcode")[i % 2], "easy") for i in range(30)}
    return write_run_report(write_run(tmp_path_factory.mktemp("browser") / "run", many(), attributes))


def column(tab: Any, number: int) -> list[str]:
    return tab.locator(f"[data-explorer] tbody td:nth-child({number})").all_inner_texts()


def status(tab: Any) -> str:
    return tab.locator("[role=status]").inner_text()


def test_search_takes_every_word_in_any_column(show: Open, report: Path) -> None:
    tab = show(report)
    assert status(tab) == "120 submissions"
    tab.fill("[type=search]", "P07 wrong")
    assert status(tab) == "1 of 120 submissions"
    assert column(tab, 2) == ["s30"]
    tab.fill("[type=search]", "expected '60'")
    assert column(tab, 2) == ["s60"]
    tab.fill("[type=search]", "no such thing")
    assert status(tab) == "0 of 120 submissions" and column(tab, 1) == []
    tab.fill("[type=search]", "")
    assert status(tab) == "120 submissions"


def test_one_submission_is_counted_as_one_and_the_name_of_a_file_breaks_between_words(
    show: Open, tmp_path: Path
) -> None:
    name = "wrong/" + "_".join(["forgets"] * 6) + ".py"
    tab = show(
        write_run_report(write_run(tmp_path / "run", [graded(name, "p")])), viewport={"width": 390, "height": 800}
    )
    assert status(tab) == "1 submission"
    broken = """name => [...name.childNodes].filter(part => part.data).every(part => {
        const range = document.createRange(); range.selectNode(part); return range.getClientRects().length === 1 })"""
    shown = tab.locator("[data-explorer] tbody td:nth-child(2) .name")
    assert shown.evaluate(broken) and shown.inner_text() == name


def test_filters_and_search_work_together(show: Open, report: Path) -> None:
    tab = show(report)
    tab.select_option("select[aria-label=Verdict]", "TIME_LIMIT (8)")
    assert status(tab) == "8 of 120 submissions"
    tab.select_option("select[aria-label=Platform]", label="leetcode (60)")
    assert set(column(tab, 3)) == {"leetcode"} and set(column(tab, 5)) == {"TIME_LIMIT"}
    tab.fill("[type=search]", "s70")
    assert column(tab, 2) == ["s70"]


def test_a_heading_sorts_up_then_down_then_not_at_all(show: Open, report: Path) -> None:
    tab = show(report)
    heading = tab.locator("[data-explorer] th", has_text="CPU ms")
    original = column(tab, 2)
    heading.locator("button").click()
    assert [float(text) for text in column(tab, 7)] == [float(i) for i in range(50)]
    assert heading.get_attribute("aria-sort") == "ascending"
    heading.locator("button").click()
    assert [float(text) for text in column(tab, 7)] == [119.0 - i for i in range(50)]
    heading.locator("button").click()
    assert column(tab, 2) == original


def test_names_are_sorted_as_people_count_and_empty_cells_come_last(show: Open, report: Path) -> None:
    tab = show(report)
    tab.click("[data-explorer] th:nth-child(2) button")
    assert column(tab, 2)[:12] == [f"s{i}" for i in range(12)]
    for _ in range(2):
        tab.click("[data-explorer] th:nth-child(10) button")
        assert column(tab, 10)[0].startswith("line 1")


def test_pages(show: Open, report: Path) -> None:
    tab = show(report)
    assert len(column(tab, 1)) == 50
    tab.click("nav.pages button:last-child")
    tab.click("nav.pages button:last-child")
    assert tab.locator("nav.pages").inner_text().split("\n")[0].find("Previous") >= 0
    assert len(column(tab, 1)) == 20 and tab.locator("nav.pages button:last-child").is_disabled()
    tab.fill("[type=search]", "p01")
    assert len(column(tab, 1)) == 4 and not tab.locator("nav.pages").is_visible()


def test_a_row_opens_its_program_difference_and_tests(show: Open, report: Path) -> None:
    tab = show(report)
    tab.fill("[type=search]", "s33")
    tab.click("[data-explorer] tbody a")
    sheet = tab.locator("dialog[open]")
    sheet.locator(".line").first.wait_for()
    assert sheet.locator("h2").inner_text() == "p08 / s33"
    assert sheet.locator(".outcome").inner_text().split() == ["WRONG_ANSWER", "0", "of", "1", "tests", "passed"]
    assert sheet.locator("pre.difference").inner_text() == "line 1, token 1: expected '33', got '34'"
    assert sheet.locator(".line").all_inner_texts()[2] == "def solve33(n):"
    assert sheet.locator(".keyword").all_inner_texts() == ["import", "def", "return"]
    assert sheet.locator("code .string").all_inner_texts() == ["'text'"]
    assert sheet.locator("code .comment").all_inner_texts() == ["# a comment"]
    assert sheet.locator("code .defined").all_inner_texts() == ["solve33"]
    cells = sheet.locator("tbody td").all_inner_texts()
    assert cells[:3] == ["0", "WRONG_ANSWER", "33.0"] and cells[-1].startswith("line 1, token 1")


def test_reading_by_keyboard(show: Open, report: Path) -> None:
    tab = show(report)
    tab.keyboard.press("/")
    tab.keyboard.type("wrong")
    tab.locator("[data-explorer] tbody a").first.focus()
    tab.keyboard.press("ArrowDown")
    tab.keyboard.press("Enter")
    title = tab.locator("dialog[open] h2")
    playwright.expect(title).to_have_text("p00 / s3")
    tab.keyboard.press("ArrowRight")
    playwright.expect(title).to_have_text("p01 / s6")
    tab.keyboard.press("j")
    playwright.expect(title).to_have_text("p02 / s9")
    tab.keyboard.press("k")
    playwright.expect(title).to_have_text("p01 / s6")
    tab.keyboard.press("Escape")
    playwright.expect(tab.locator("dialog[open]")).to_have_count(0)
    assert tab.evaluate("document.activeElement.closest('tr').cells[1].innerText") == "s6"


def test_an_address_leads_to_a_submission_and_back_closes_it(show: Open, report: Path) -> None:
    tab = show(report, fragment="#submissions/5")
    playwright.expect(tab.locator("dialog[open] h2")).to_have_text("p03 / s12")
    tab.click("dialog button:text('Close')")
    tab.locator("section", has_text="Slowest tests").locator("summary").click()
    tab.locator("section", has_text="Slowest tests").locator("a").first.click()
    playwright.expect(tab.locator("dialog[open] h2")).to_have_text("p29 / s119")
    tab.go_back()
    playwright.expect(tab.locator("dialog[open]")).to_have_count(0)


def test_light_and_dark_follow_the_system_until_the_reader_chooses(show: Open, report: Path) -> None:
    def paper(tab: Any) -> str:
        return tab.evaluate("getComputedStyle(document.body).backgroundColor")

    light, dark = show(report, color_scheme="light"), show(report, color_scheme="dark")
    assert paper(light) != paper(dark)
    system = paper(light)
    light.click("#theme")
    assert paper(light) == system
    light.click("#theme")
    assert paper(light) == paper(dark)


@pytest.mark.parametrize("fragment", ["", "#submissions/3"])
def test_a_phone_never_scrolls_sideways(show: Open, report: Path, fragment: str) -> None:
    tab = show(report, fragment, viewport={"width": 360, "height": 740})
    tab.wait_for_selector("dialog .line" if fragment else "tr[data-row]")
    assert tab.evaluate("document.documentElement.scrollWidth") == 360
    if fragment:
        assert tab.evaluate("document.querySelector('dialog').scrollWidth") == 360


CUT_OFF = "[...document.querySelectorAll('.scroll')].filter((box) => box.scrollWidth > box.clientWidth).length"


def test_a_phone_shows_every_column_of_every_table(show: Open, report: Path, tmp_path: Path) -> None:
    phone = {"width": 390, "height": 844}
    tab = show(report, viewport=phone)
    tab.wait_for_selector("tr[data-row]")
    assert tab.evaluate(CUT_OFF) == 0, "no table of a run is cut off"
    title = "getComputedStyle(document.querySelector('.wide td'), '::before').content"
    assert tab.evaluate(title) == '"Problem"', "a cell says its column"
    before = [graded("s", f"problem-{number}", "ACCEPTED", code="print(1)") for number in range(3)]
    after = [graded("s", f"problem-{number}", "RUNTIME_ERROR", detail="x" * 90, code="1/0") for number in range(3)]
    runs = [GradingRun(write_run(tmp_path / name, grades)) for name, grades in (("a", before), ("b", after))]
    write_page(tmp_path / "changes.html", changes_report(compare_runs(*runs), *runs))
    tab = show(tmp_path / "changes.html", viewport=phone)
    tab.wait_for_selector("tr[data-row]")
    assert tab.evaluate(CUT_OFF) == 0
    assert "RUNTIME_ERROR" in tab.locator("tr[data-row] .under").first.inner_text(), "the verdict after"


def test_why_a_test_failed_can_be_read_beside_another_program(show: Open, tmp_path: Path) -> None:
    wrong = {"detail": "test 0: line 1, token 1: expected '3', got '-1'"}
    grades = [graded("s", "p", "ACCEPTED"), graded("s", "p", "WRONG_ANSWER", **wrong)]
    runs = [GradingRun(write_run(tmp_path / name, [grade])) for name, grade in zip("ab", grades, strict=True)]
    write_page(tmp_path / "changes.html", changes_report(compare_runs(*runs), *runs))
    tab = show(tmp_path / "changes.html", "#submissions/0", viewport={"width": 1280, "height": 900})
    why = tab.locator("dialog td.text").last
    assert why.bounding_box()["width"] > 150


LONG = "find-" + "the-longest-" * 30 + "palindrome"
BEYOND = "[...document.querySelectorAll('td, th')].filter((e) => e.getBoundingClientRect().right > innerWidth).length"


@pytest.mark.parametrize("width", [390, 1280])
def test_a_very_long_name_pushes_nothing_off_the_page(show: Open, tmp_path: Path, width: int) -> None:
    grades = [graded(name, name.replace("-", "_"), "WRONG_ANSWER") for name in (LONG, "short")]
    attributes = {grade.problem_id: ProblemAttributes("codeforces", LONG) for grade in grades}
    run = write_run(tmp_path / "run", grades, attributes)
    tab = show(write_run_report(run), "#submissions/0", viewport={"width": width, "height": 844})
    tab.wait_for_selector("dialog .line")
    assert tab.evaluate("document.querySelector('dialog .head').offsetHeight") < 844 / 2
    tab.keyboard.press("Escape")
    assert tab.evaluate("document.documentElement.scrollWidth") == width and tab.evaluate(BEYOND) == 0
    assert tab.locator("tr[data-row='0'] td").first.get_attribute("title") == LONG.replace("-", "_")


def test_the_end_of_a_name_is_shown(show: Open, tmp_path: Path) -> None:
    """Rows of one source begin alike."""
    names = [f"leetcodedataset_v0_3_1_test:final-array-state-after-operations-{number}" for number in range(2)]
    tab = show(write_run_report(write_run(tmp_path / "run", [graded("s", name) for name in names])))
    name = tab.locator("tr[data-row] .name")
    for at in range(2):
        assert name.nth(at).evaluate("(e) => e.scrollWidth <= e.clientWidth && e.scrollHeight <= e.clientHeight")


def test_a_problem_shows_its_submissions_whatever_its_name_is(show: Open, tmp_path: Path) -> None:
    names = ["100%", "a%zz", "a#b", "a/b c", "<b>", "\ud800"]
    grades = [graded(f"s{number}", name) for name in names for number in range(3)]
    tab = show(write_run_report(write_run(tmp_path / "run", grades)))
    links = tab.locator("section", has_text="problems, the hardest first").locator("td a")
    for at in range(len(names)):
        links.nth(at).click()
        playwright.expect(tab.get_by_role("status")).to_have_text(f"3 of {len(grades)} submissions")
        assert len({*column(tab, 1)}) == 1


def test_paper_shows_what_the_screen_does_in_dark_letters(show: Open, report: Path) -> None:
    tab = show(report, color_scheme="dark", viewport={"width": 718, "height": 1000})
    tab.wait_for_selector("tr[data-row]")
    tab.evaluate("document.documentElement.dataset.theme = 'dark'")
    tab.emulate_media(media="print")
    ink, bars, kept = tab.evaluate("""['body', '.track > span', '.track > span'].map((name, at) =>
        getComputedStyle(document.querySelector(name))[['color', 'backgroundColor', 'printColorAdjust'][at]])""")
    assert max(int(part) for part in ink.strip("rgb()").split(",")) < 60
    assert bars != "rgba(0, 0, 0, 0)" and kept == "exact"
    assert tab.evaluate(BEYOND) == 0 and "expected '" in tab.locator("tr[data-row]").first.inner_text()
    assert tab.locator(".pages").inner_text() == "Page 1 of 3"


def test_an_opened_row_is_printed_whole(show: Open, tmp_path: Path) -> None:
    code = "".join(f"x{number} = {'1 + ' * 60}0\n" for number in range(300))
    tab = show(write_run_report(write_run(tmp_path / "run", [graded("s", "p", code=code)])), "#submissions/0")
    tab.wait_for_selector("dialog .line")
    tab.emulate_media(media="print")
    assert not tab.locator("main").is_visible()
    shown = tab.locator("dialog pre.code")
    assert shown.evaluate("(e) => e.scrollHeight <= e.clientHeight && e.scrollWidth <= e.clientWidth")
    assert tab.locator("dialog").evaluate("(e) => e.getBoundingClientRect().height") > 300 * 20


@pytest.mark.parametrize("width", [390, 1280])
def test_the_longest_bar_takes_the_width_that_its_label_and_number_leave(show: Open, report: Path, width: int) -> None:
    tab = show(report, viewport={"width": width, "height": 844})
    share = """(() => { const bars = document.querySelector(".bars"), longest = Math.max(
        ...[...bars.querySelectorAll(".track > span")].map((bar) => bar.getBoundingClientRect().width));
        return longest / bars.getBoundingClientRect().width; })()"""
    assert tab.evaluate(share) > (0.55 if width > 1000 else 0.3)


def test_hostile_text_does_nothing(show: Open, tmp_path: Path) -> None:
    text = "</script><script>alert(1)</script><img src=x onerror=alert(2)><svg onload=alert(3)>\u202e\x00\ud800"
    grade = graded(f"s{text}", f"p{text}", "RUNTIME_ERROR", detail=text, code=f"'''{text}\n# {text}")
    file = write_run_report(
        write_run(tmp_path / "run", [grade], {grade.problem_id: ProblemAttributes("atcoder", text)})
    )
    tab = show(file, "#submissions/0")
    tab.wait_for_selector("dialog .line")
    assert tab.locator("img, main svg, dialog svg").count() == 0
    assert tab.evaluate("document.querySelector('pre.difference').textContent").startswith("</script><script>alert(1)")
    assert "<img src=x" in tab.locator(".line").first.inner_text()


def test_a_very_long_program_says_how_much_is_shown(show: Open, tmp_path: Path) -> None:
    code = "x = '" + "\\" * 30_001 + '"""' * 50_000
    tab = show(write_run_report(write_run(tmp_path / "run", [graded("s", "p", code=code)])), "#submissions/0")
    tab.wait_for_selector("dialog .line")
    assert f"The first {CODE_CHARACTERS:,} of {len(code):,} characters." in tab.locator("dialog").inner_text()


PROGRAMS = [
    ("#include <map>\nint main() { return 0; } // end\n", {"decorator", "keyword", "number", "comment"}),
    (
        "@cache\ndef f(x: int) -> str:\n    return f'{x}' + r\"\\d\" * 0x1F\n",
        {"decorator", "keyword", "defined", "known", "string", "number"},
    ),
    ('"""open\nnever closed\n', {"string"}),
    ("x = 'broken\ny = 2\n", {"string", "number"}),
    ("", set()),
]


def test_programs_are_coloured_and_kept_to_the_letter(show: Open, tmp_path: Path) -> None:
    grades = [graded(f"s{i}", "p", code=code) for i, (code, _) in enumerate(PROGRAMS)]
    tab = show(write_run_report(write_run(tmp_path / "run", grades)), "#submissions/0")
    for row, (code, kinds) in enumerate(PROGRAMS):
        tab.wait_for_selector(f"dialog [data-row='{row}'] .line", state="attached")
        assert "\n".join(tab.locator("dialog .line").all_text_contents()) == code.removesuffix("\n")
        assert set(tab.evaluate("[...document.querySelectorAll('.line > span')].map(span => span.className)")) == kinds
        tab.keyboard.press("j")


def test_a_document_keeps_the_lines_of_a_table(show: Open, tmp_path: Path) -> None:
    rows = SearchableTable("rows", "rows", [Column("Row")])
    rows.add_document(["a"], [DetailPart("Tests", "table", [["Input", "Output"], ["3\n1  2 3", "6"]])])
    write_page(tmp_path / "page.html", page("Rows", rows.html()))
    cell = show(tmp_path / "page.html", "#rows/0").locator("dialog td").first
    assert cell.inner_text() == "3\n1  2 3"


FORMULAS = [
    (r"Let $a_i \le 10^{5}$ be given.", "Let ai ≤ 105 be given.", ["i", "5"]),
    (r"$$s = \sum_{k=1}^n a_\text{k}$$", "s = ∑k=1n ak", ["k=1", "n", "k"]),
    (r"It costs $5, then $6 or 7 $ more; `$x_1$` is code.", "It costs $5, then $6 or 7 $ more; $x_1$ is code.", []),
    (r"The set $\{x\}$ and $\frac{a}{b}$", r"The set {x} and \frac{a}{b}", []),
    ("One $ alone, and $$ two", "One $ alone, and $$ two", []),
    ("Names such as a_b^c stay.", "Names such as a_b^c stay.", []),
]


def test_formulas_of_a_statement_are_shown_with_their_signs(show: Open, tmp_path: Path) -> None:
    rows = SearchableTable("rows", "rows", [Column("Row", "id")])
    for text, _, _ in FORMULAS:
        rows.add_document(["a"], [DetailPart("Statement", "prose", text)])
    write_page(tmp_path / "page.html", page("Rows", rows.html()))
    tab = show(tmp_path / "page.html", "#rows/0")
    for at, (_, shown, moved) in enumerate(FORMULAS):
        tab.locator(f"dialog [data-row='{at}'] .prose").wait_for()
        assert tab.locator("dialog .prose").inner_text() == shown
        assert tab.locator("dialog sub, dialog sup").all_inner_texts() == moved
        tab.keyboard.press("j")


def test_a_statement_is_read_in_the_direction_of_its_letters(show: Open, tmp_path: Path) -> None:
    rows = SearchableTable("rows", "rows", [Column("Row", "id")])
    text = "שלום."
    tests = DetailPart("Tests", "table", [["Input"], [text]])
    rows.add_document([text], [DetailPart("Statement", "prose", text), tests])
    write_page(tmp_path / "page.html", page("Rows", rows.html()))
    tab = show(tmp_path / "page.html", "#rows/0")
    tab.locator("dialog .prose").wait_for()
    stop_is_left = """(place) => { let node = place; while (node.firstChild) node = node.firstChild;
        const at = (i) => { const range = document.createRange(); range.setStart(node, i); range.setEnd(node, i + 1);
            return range.getBoundingClientRect().left; };
        return at(4) < at(0); }"""
    for place in ("dialog .prose p", "dialog tbody td", "tr[data-row] td"):
        assert tab.locator(place).first.evaluate(stop_is_left), place


def test_the_comparison_shows_both_programs(show: Open, tmp_path: Path) -> None:
    before = [
        graded("s1", "p", code="print(1)"),
        graded("s2", "q", "WRONG_ANSWER", detail="old reason", code="print(2)"),
    ]
    after = [
        graded("s1", "p", "MEMORY_LIMIT", cpu_ms=7437.3, detail="9" * 99, code="print(1)"),
        graded("s2", "q", code="print(3)"),
    ]
    runs = [GradingRun(write_run(tmp_path / name, grades)) for name, grades in (("a", before), ("b", after))]
    write_page(tmp_path / "changes.html", changes_report(compare_runs(*runs), *runs))
    tab = show(tmp_path / "changes.html", viewport={"width": 1280, "height": 900})
    rows = tab.locator("[data-explorer=submissions] tbody tr").all_inner_texts()
    assert [row.split("\t")[2:5] for row in rows] == [
        ["lost", "ACCEPTED", "MEMORY_LIMIT"],
        ["gained", "WRONG_ANSWER", "ACCEPTED"],
    ]
    assert [row.split() for row in tab.locator("[data-explorer=problems] tbody tr").all_inner_texts()] == [
        ["p", "100", "%", "0", "%", "-100"],
        ["q", "0", "%", "100", "%", "+100"],
    ]
    tab.click("[data-explorer=submissions] tbody tr:first-child a")
    tab.wait_for_selector("dialog .line")
    assert "The same program." in tab.locator("dialog article").nth(1).inner_text()
    assert tab.evaluate(CUT_OFF) == 0, "both tables of tests are whole"
    tab.keyboard.press("ArrowRight")
    playwright.expect(tab.locator("dialog h2")).to_have_text("q / s2")
    playwright.expect(tab.locator("dialog code")).to_have_text(["print(2)", "print(3)"])


def test_points_are_sorted_as_shares_and_opened_by_group(show: Open, tmp_path: Path) -> None:
    groups = (
        GroupResult("small", Verdict.ACCEPTED, 30, 30),
        GroupResult("large", Verdict.TIME_LIMIT, 0, 70),
        GroupResult("all", Verdict.TIME_LIMIT, 30, 100),
    )
    grades = [
        replace(graded("half", "islands", "TIME_LIMIT"), points=30.0, max_points=100.0, groups=groups),
        replace(graded("whole", "islands"), points=100.0, max_points=100.0),
        replace(graded("best", "tiny"), points=3.0, max_points=5.0),
    ]
    tab = show(write_run_report(write_run(tmp_path / "run", grades)), viewport={"width": 360, "height": 740})
    tab.get_by_role("button", name="Points").click()
    assert column(tab, 4) == ["30 / 100", "3 / 5", "100 / 100"]
    tab.get_by_role("link", name="islands").first.click()
    opened = tab.get_by_role("dialog")
    opened.get_by_text("0 / 70").wait_for()
    assert "large" in opened.inner_text() and "30 / 30" in opened.inner_text()
    assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_table_with_fields_fits_a_laptop_and_a_crash_is_told_once(show: Open, tmp_path: Path) -> None:
    name = "find-the-longest-almost-palindromic-substring-of-a-string"
    problem = {"id": name, "tests": [{"input": "1 " * 300, "output": "2"}], "difficulty": "medium"}
    replies = [
        {
            "id": str(at),
            "problem_id": name,
            "code": "def f():\n    return {}[3]\nf()",
            "model": model,
            "temperature": at,
            "instructions": f"Reply {at} in one block of code. " * 4,
        }
        for at, model in enumerate(("large-instruct", "small-instruct"))
    ]
    for file, records in (("problems.jsonl", [problem]), ("replies.jsonl", replies)):
        write_lines(tmp_path / file, records)
    options = GradingOptions(workers=1, quiet=True)
    grade_files(tmp_path / "problems.jsonl", tmp_path / "replies.jsonl", tmp_path / "run", options)
    tab = show(tmp_path / "run" / "report.html", viewport={"width": 1280, "height": 900})
    tab.wait_for_selector("tr[data-row]")
    assert tab.evaluate(CUT_OFF) == 0
    headings = tab.locator("th button").all_inner_texts()
    assert {"model", "temperature"} < {*headings} and "instructions" not in headings
    tab.get_by_role("link", name=name).first.click()
    opened = tab.get_by_role("dialog")
    opened.get_by_text("stderr, its end").wait_for()
    assert opened.inner_text().count("Traceback (most recent call last)") == 1
    assert tab.evaluate("[...document.querySelectorAll('pre.kept')].every((box) => box.scrollWidth <= box.clientWidth)")
