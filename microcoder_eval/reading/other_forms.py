"""Refuses files of forms that are not read, with the way out: spreadsheets, archives, databases, pickles.

refuse_other_forms(Path("replies.xlsx"))            # InputError: ... is a spreadsheet: save it as CSV (UTF-8)
"""

from __future__ import annotations

from pathlib import Path

from microcoder_eval.errors import InputError

_UNPACK = "an archive: unpack it, and name a file or folder in it"
_BY_SUFFIX = {
    **dict.fromkeys((".xlsx", ".xlsm", ".xls", ".ods", ".numbers"), "a spreadsheet: save it as CSV (UTF-8)"),
    **dict.fromkeys((".zip", ".kpp"), f"{_UNPACK}; `microcoder data init` makes a dataset of a judge's package"),
    **dict.fromkeys((".tar", ".tgz", ".7z", ".rar"), _UNPACK),
    **dict.fromkeys((".db", ".sqlite", ".sqlite3"), "a database: export its table as CSV or JSON"),
    **dict.fromkeys(
        (".pkl", ".pickle", ".pt", ".joblib"),
        "a pickle, which can run any program: convert it to JSON lines or Parquet",
    ),
    ".ipynb": "a Jupyter notebook, which is graded as a submission: records come as JSON lines, CSV or Parquet",
    **dict.fromkeys((".pdf", ".docx", ".doc", ".odt"), "a document: copy its text into JSON or CSV"),
}
_BY_MARK = {
    b"PK\x03\x04": "a zip archive or a spreadsheet: unpack it, or save it as CSV (UTF-8)",
    b"\xd0\xcf\x11\xe0": "a spreadsheet or document of Microsoft Office: save it as CSV (UTF-8)",
    b"SQLite format 3": _BY_SUFFIX[".db"],
    b"%PDF": _BY_SUFFIX[".pdf"],
    b"PAR1": "Parquet: name it .parquet",
    b"ARROW1": "Arrow: name it .arrow",
}


def refuse_other_forms(path: Path) -> None:
    """Raise an `InputError` if the file's name or its first bytes are those of another form.

    >>> refuse_other_forms(Path("replies.xlsx"))
    Traceback (most recent call last):
    microcoder_eval.errors.InputError: replies.xlsx is a spreadsheet: save it as CSV (UTF-8)
    """
    what = _BY_SUFFIX.get(path.suffix.lower())
    if what is None and path.is_file():
        with open(path, "rb") as file:
            head = file.read(16)
        what = next((each for mark, each in _BY_MARK.items() if head.startswith(mark)), None)
    if what is not None:
        raise InputError(f"{path} is {what}")
