"""The pictures of the README: the pages of a quickstart in headless Chromium, in the light design.

    microcoder quickstart
    python bench/screenshots.py runs/quickstart docs/images          # needs playwright and Chromium

The index and the curves are written again first, by this checkout. Nothing is fetched.
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

from playwright.sync_api import sync_playwright

from microcoder_rl.quickstart.page import write_index
from microcoder_rl.report.training_page import write_training_page

SIZE = {"width": 1000, "height": 820}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("quickstart", type=Path)
    parser.add_argument("out", type=Path)
    given = parser.parse_args()
    folder = given.quickstart
    write_training_page([folder / "training"], folder / "training" / "curves.html", smooth=3)
    pages = {
        "quickstart": write_index(folder),
        "grading": folder / "easy-problems" / "report.html",
        "dataset": folder / "dataset" / "report.html",
        "training": folder / "training" / "curves.html",
    }
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    with sync_playwright() as running:
        browser = running.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        for name, page in pages.items():
            tab = browser.new_context(offline=True, viewport=SIZE, color_scheme="light").new_page()
            tab.goto(page.resolve().as_uri())
            tab.screenshot(path=given.out / f"{name}.png")
        browser.close()


if __name__ == "__main__":
    main()
