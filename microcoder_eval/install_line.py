"""The pip command that installs missing extras, for a checkout or for the installed package."""

from __future__ import annotations

import json
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).resolve().parent.parent


def install_line(*extras: str) -> str:
    """The command that installs the optional dependencies of `extras`.

    >>> install_line("data").startswith("pip install ") and "[data]" in install_line("data")
    True
    """
    chosen = f"[{','.join(extras)}]"
    if (ROOT / "pyproject.toml").is_file() and (ROOT / "microcoder_eval").is_dir():
        return f'pip install -e "{ROOT}{chosen}"'  # without -e, a copy would replace the checkout
    place = _installed_from()
    return f'pip install "microcoder{chosen} @ {place}"' if place else f'pip install "microcoder{chosen}"'


def _installed_from() -> str:
    """The wheel, folder or repository from which pip installed the package; "" when it came from an index."""
    try:
        record = json.loads(distribution("microcoder").read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError):
        return ""
    url, repository = record.get("url", ""), record.get("vcs_info")
    if repository:
        return f"{repository['vcs']}+{url}@{repository['commit_id']}"
    parts = urlsplit(url)
    return url if parts.scheme != "file" or Path(unquote(parts.path)).exists() else ""
