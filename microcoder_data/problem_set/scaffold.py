"""Start a new problem: a copy of a small problem that passes `microcoder problems check`, to be edited.

The folders under `material/templates` are complete problems; only the title is filled in.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from microcoder_data.problem_set.folder_checks import SLUG
from microcoder_data.problem_set.reader import KINDS, MATERIAL
from microcoder_eval import InputError
from microcoder_eval.atomic import said_if_full


def new_problem(root: Path, slug: str, kind: str = "stdin") -> Path:
    """Make the folder `root/slug` from the template of its kind; returns the folder.

    >>> new_problem(Path("problems"), "lost-keys", "call")        # doctest: +SKIP
    PosixPath('problems/lost-keys')
    """
    if not SLUG.fullmatch(slug):
        raise InputError(
            f"{slug!r} cannot be a problem's name: use lower-case words joined by hyphens, as in 'lost-keys'"
        )
    if kind not in KINDS:
        raise InputError(f"unknown kind {kind!r}; known: {', '.join(KINDS)}")
    folder = root / slug
    if folder.exists():
        raise InputError(f"{folder} exists already")
    title = slug.replace("-", " ").capitalize()
    try:
        root.mkdir(parents=True, exist_ok=True)
        with said_if_full(folder), tempfile.TemporaryDirectory(prefix=f".{slug}-", dir=root) as making:
            made = Path(making) / slug
            shutil.copytree(MATERIAL / "templates" / kind, made, ignore=shutil.ignore_patterns("__pycache__"))
            about = made / "problem.yaml"
            text = about.read_text(encoding="utf-8").replace("title: TITLE", f"title: {title}")
            about.write_text(text, encoding="utf-8")
            made.rename(folder)  # whole, or not at all
    except shutil.Error as errors:  # holds an error for each file; the first is shown
        raise InputError(f"{folder} cannot be made: {errors.args[0][0][2]}") from None
    except OSError as error:
        raise InputError(f"{folder} cannot be made: {error.strerror or error}") from None
    return folder
