"""The command that installs what is missing, as it works here: from a checkout, or as an installed package."""

from __future__ import annotations

import json
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).resolve().parent.parent


def install_line(*extras: str) -> str:
    """How to install the optional dependencies of `extras`.

    >>> install_line("data").startswith("pip install ") and "[data]" in install_line("data")
    True
    """
    chosen = f"[{','.join(extras)}]"
    if (ROOT / "pyproject.toml").is_file() and (ROOT / "microcoder_eval").is_dir():
        return f'pip install "{ROOT}{chosen}"'
    place = _installed_from()
    return f'pip install "microcoder{chosen} @ {place}"' if place else f'pip install "microcoder{chosen}"'


def _installed_from() -> str:
    """Where pip took the package from, when that was no index: a wheel, a folder, a repository. Empty otherwise."""
    try:
        record = json.loads(distribution("microcoder").read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError):
        return ""
    url, repository = record.get("url", ""), record.get("vcs_info")
    if repository:
        return f"{repository['vcs']}+{url}@{repository['commit_id']}"
    parts = urlsplit(url)
    return url if parts.scheme != "file" or Path(unquote(parts.path)).exists() else ""
