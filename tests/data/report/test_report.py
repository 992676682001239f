"""The card and the report of a build: what they say is what the build did, and nothing in a row can break them."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from microcoder_data import build, load_recipe, make_engine
from microcoder_data.report.account import Account
from microcoder_data.report.dataset_report import dataset_report
from microcoder_data.report.describe import describe
from microcoder_data.report.take_account import take_account
from tests.data.made_up import taco_record, write_lines

HOSTILE = "</script><img src=x onerror=alert(1)>"
WRAPPED = "Two neighbours grow apples in their gardens, and in the autumn they put\nall of them into one cart."


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twenty-two records with a copy, a Russian, a broken and a hostile one; solutions are run."""
    folder = tmp_path_factory.mktemp("report")
    records = [taco_record(number, difficulty="HARD" if number % 3 else "EASY") for number in range(18)]
    records[0]["question"] = f"{WRAPPED}\n{records[0]['question']}"
    records += [taco_record(3, url=""), taco_record(30, question="Привет, это задача о сумме двух целых чисел. " * 4)]
    records.append(taco_record(31, question=f"Print any valid number.\n{taco_record(31)['question']}"))
    path = write_lines(folder / "taco.jsonl", records)
    with path.open("a") as file:
        file.write("{broken\n")
    (folder / "recipe.yaml").write_text(
        f"name: small {HOSTILE}\nsources:\n  - {{source: taco, path: {path}}}\n"
        "process: {language: {keep: [en], others: drop}}\n"
        "filter: {tests: {choose: all}}\n"
        "verify: {execution: {mutants: 2, strengthen: false}}\n"
    )
    build(load_recipe(folder / "recipe.yaml"), folder / "set", make_engine("local", workers=1))
    return folder / "set"


def test_a_build_leaves_a_card_and_a_report(dataset: Path) -> None:
    card, page = (dataset / "README.md").read_text(), (dataset / "report.html").read_text()
    _, front, body = card.split("---\n", 2)
    facts = yaml.safe_load(front)
    assert facts["license"] == "apache-2.0" and facts["language"] == ["en"] and facts["size_categories"] == ["n<1K"]
    assert facts["configs"][0]["data_files"][0]["path"] == "data/*.parquet"
    assert "18 programming problems" in body and "| verify | 18 | 18 | 0 | 0 |" in body
    assert page.startswith("<!doctype html>") and "Dataset small" in page


def test_the_hub_reads_the_card(dataset: Path) -> None:
    hub = pytest.importorskip("huggingface_hub", reason="huggingface_hub is not installed")
    data = hub.DatasetCard.load(dataset / "README.md").data
    assert data.pretty_name == f"small {HOSTILE}" and data.task_categories == ["text-generation"]


def test_the_account_is_the_builds(dataset: Path) -> None:
    account = take_account(dataset)
    assert sum(account.before["source"].values()) == 21 and account.after["source"] == {"taco": 18}
    assert sum(account.before["level"].values()) == 21 and set(account.before["level"]) == {"easy", "hard"}
    assert sum(account.before["language"].values()) == 21 and account.before["language"]["ru"] == 1
    assert sum(account.after["tests"].values()) == 18
    assert sum(account.after["strength"].values()) == 18
    assert account.executed["right solutions accepted"] == 18
    reasons = {each.reason.reason: each.rows for each in account.reasons()}
    assert sum(reasons.values()) == 22 - 18
    shown = {reason for (_, _, _, reason) in account.examples}
    assert shown == set(reasons), "every reason has an example"


def test_describing_again_gives_the_same_bytes_and_works_without_the_workings(dataset: Path, tmp_path: Path) -> None:
    before = (dataset / "report.html").read_bytes()
    describe(dataset)
    assert (dataset / "report.html").read_bytes() == before
    shutil.rmtree(dataset / "work" / "report")  # what was counted of each file is counted again
    describe(dataset)
    assert (dataset / "report.html").read_bytes() == before
    shutil.copytree(dataset, tmp_path / "published", ignore=shutil.ignore_patterns("work"))
    describe(tmp_path / "published")
    page = (tmp_path / "published" / "report.html").read_text()
    assert "→" not in re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL) and "Sources" in page


def test_nothing_in_a_row_is_markup_in_the_page(dataset: Path) -> None:
    page = (dataset / "report.html").read_text()
    assert "<img" not in page and "&lt;img src=x" in page
    assert "http://" not in page.replace("http://www.w3.org", "") and "https://" not in re.sub(r'"[^"]*"', "", page)


def test_the_report_says_what_a_cap_costs() -> None:
    counts = {"rows executed": 2, "capped rejected": 10, "capped longest passing": 4, "capped strong passing": 1}
    stage = {"stage": "verify", "in": 2, "kept": 2, "dropped": 0, "merged": 0, "reasons": {}, "executed": counts}
    config: dict[str, Any] = {"filter": {"tests": {"choose": "all"}}, "verify": {"execution": {}}, "compare": {}}
    manifest = {
        "name": "x", "rows": 2, "logical_sha256": "0" * 64, "limit": None, "inputs": [], "stages": [stage],
        "config": config,
    }  # fmt: skip
    names = (
        "source",
        "platform",
        "year",
        "language",
        "level",
        "tests",
        "kind",
        "license",
        "checker",
        "status",
        "strength",
    )

    account = Account(manifest, after={name: Counter() for name in names})
    page = dataset_report(account)
    assert "What a cap of 15 tests costs" in page and "4 of 10  (40.0 %)" in page and "1 of 10  (10.0 %)" in page
    config["filter"]["tests"]["choose"] = "longest"
    assert "capped before they were run" in dataset_report(account)


Show = Callable[..., Any]


@pytest.fixture(scope="module")
def show(dataset: Path) -> Iterator[Show]:
    """Opens the report offline in a browser; at the end nothing may have failed or been asked for."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        pytest.skip("no Chromium on this machine")
    wrong: list[str] = []
    with playwright.sync_playwright() as running:
        browser = running.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])

        def opened(**options: Any) -> Any:
            tab = browser.new_context(offline=True, **options).new_page()
            tab.set_default_timeout(20_000)
            tab.on("pageerror", lambda error: wrong.append(f"error: {error}"))
            tab.on("console", lambda message: wrong.append(f"console: {message.text}"))
            tab.on("dialog", lambda dialog: wrong.append(f"dialog: {dialog.message}"))
            tab.on("request", lambda asked: wrong.append(asked.url) if not asked.url.startswith("file:") else None)
            tab.goto((dataset / "report.html").as_uri())
            return tab

        yield opened
        browser.close()
    assert not wrong


def test_rows_that_went_are_found_by_keyboard(show: Show) -> None:
    tab = show()
    listed = tab.locator("[data-explorer=rows] tbody tr")
    everything = listed.count()
    tab.keyboard.press("/")
    tab.keyboard.type("russian_or_language")
    tab.wait_for_function("document.querySelector('[role=status]').textContent.startsWith('0')")
    assert listed.count() == 0 and everything == 22, "18 kept, 4 gone"
    tab.locator("input[type=search]").fill("broken")
    tab.wait_for_function("document.querySelectorAll('[data-explorer=rows] tbody tr').length === 1")
    assert "broken_json" in listed.first.inner_text()


def test_every_row_opens_with_its_statement_tests_and_path(show: Show) -> None:
    tab = show()
    tab.locator("[data-explorer=rows] tbody tr a").first.click()
    tab.wait_for_selector("dialog[open] .path li")
    kept = tab.locator("dialog[open]").inner_text()
    assert "Statement" in kept and "Expected output" in kept and "test_integrity" in kept
    assert WRAPPED.replace("\n", " ") + "\n" in kept, "a line that its writer wrapped goes on, others end"
    assert tab.locator("dialog[open] details", has_text="Solution").count() >= 1
    tab.get_by_label("Outcome", exact=True).evaluate("(list) => { list.selectedIndex = 1; }")
    tab.locator("dialog[open] button", has_text="Close").click()
    tab.locator("input[type=search]").fill("broken_json")
    tab.wait_for_function("document.querySelectorAll('[data-explorer=rows] tbody tr').length === 1")
    tab.locator("[data-explorer=rows] tbody tr a").first.click()
    tab.wait_for_selector("dialog[open] h3:has-text('To keep it')")
    assert "the record must be mended" in tab.locator("dialog[open]").inner_text()
    tab.locator("dialog[open] button", has_text="Close").click()
    tab.locator("input[type=search]").fill("Привет")
    tab.wait_for_function("document.querySelectorAll('[data-explorer=rows] tbody tr').length === 1")
    tab.locator("[data-explorer=rows] tbody tr a").first.click()
    tab.wait_for_selector("dialog[open] h3:has-text('To keep it')")
    assert "Expected output" in tab.locator("dialog[open]").inner_text()
    assert tab.locator("dialog[open] details", has_text="Solution").count() >= 1


def test_a_reason_is_chosen_from_the_list(show: Show) -> None:
    tab = show()
    choice = tab.get_by_label("Stage", exact=True)
    choice.select_option(index=1)
    stages = tab.locator("[data-explorer=rows] tbody tr td:nth-child(4)").all_inner_texts()
    assert stages and len(set(stages)) == 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_fits_a_phone_in_light_and_dark(show: Show, scheme: str) -> None:
    tab = show(viewport={"width": 360, "height": 740}, color_scheme=scheme)
    assert tab.evaluate("document.documentElement.scrollWidth") <= 360
    paper = tab.evaluate("getComputedStyle(document.body).backgroundColor")
    brightness = sum(map(int, re.findall(r"\d+", paper)[:3]))
    assert (brightness > 600) == (scheme == "light")
    tab.locator("#theme").click()
    assert tab.evaluate("document.documentElement.dataset.theme") == "light"
