"""Rewrite a statement in the style of a publisher: its headings, its samples, its HTML."""

from __future__ import annotations

import html
import re

from microcoder_data.problem_set.statement import samples, sections

_FENCE = re.compile(r"```\w*\n(.*?)```", re.DOTALL)


def dashes(statement: str) -> str:
    """The statement as APPS writes it: `-----Input-----`, and samples as `Input`, `Output` under `-----Examples-----`.

    >>> dashes("Add.\\n\\n## Output\\n\\nPrint it.\\n")
    'Add.\\n\\n-----Output-----\\nPrint it.\\n'
    """
    return _with_headings(statement, "-----{}-----\n", "-----Examples-----\n")


def plain(statement: str) -> str:
    """The statement as CodeContests writes it: a heading is a line of its own."""
    return _with_headings(statement, "{}\n\n", "Examples\n\n")


def as_html(statement: str) -> str:
    """The statement as HTML of a judge's page: tags, entities, superscripts."""
    blocks = []
    for name, text in sections(_without_samples(statement)).items():
        if name:
            blocks.append(f'<h3 class="section-title">{html.escape(name)}</h3>')
        blocks += [_html_block(paragraph) for paragraph in re.split(r"\n\n+", text)]
    for number, (given, wanted) in enumerate(samples(statement), start=1):
        blocks.append(f"<h3>Sample Input {number}</h3><pre>{html.escape(given)}</pre>")
        blocks.append(f"<h3>Sample Output {number}</h3><pre>{html.escape(wanted)}</pre>")
    return '<div class="problem-statement">\n' + "\n".join(blocks) + "\n<br/></div>\n"


def with_samples_of(text: str, statement: str) -> str:
    """Another text of a problem (a translation, another story), with the samples of its statement."""
    blocks = [f"```input\n{given}```\n\n```output\n{wanted}```" for given, wanted in samples(statement)]
    return f"{text.strip()}\n\n## Samples\n\n" + "\n\n".join(blocks) + "\n"


def _with_headings(statement: str, heading: str, examples: str) -> str:
    parts = []
    for name, text in sections(_without_samples(statement)).items():
        shown = "Note" if name == "Notes" else name
        parts.append(heading.format(shown) + text if name else text)
    pairs = samples(statement)
    if pairs:
        shown_pairs = [f"Input\n{given}\nOutput\n{wanted}" for given, wanted in pairs]
        parts.append(examples + "\n".join(shown_pairs).rstrip())
    return "\n\n".join(parts).strip() + "\n"


def _without_samples(statement: str) -> str:
    """The statement without the section "Samples" and without code fences."""
    kept = [
        (f"## {name}\n\n" if name else "") + text for name, text in sections(statement).items() if name != "Samples"
    ]
    return _FENCE.sub(lambda block: block[1], "\n\n".join(kept))


def _html_block(paragraph: str) -> str:
    lines = paragraph.split("\n")
    if all(line.startswith("- ") for line in lines):
        return "<ul>" + "".join(f"<li>{_html_text(line[2:])}</li>" for line in lines) + "</ul>"
    return f"<p>{_html_text(' '.join(lines))}</p>"


def _html_text(text: str) -> str:
    text = html.escape(text, quote=False).replace("≤", "&le;").replace("≥", "&ge;").replace(" ... ", "&nbsp;&hellip; ")
    text = re.sub(r"(?<=\d)\^(\d+)", r"<sup>\1</sup>", text)
    text = re.sub(r"`([^`]*)`", r"<var>\1</var>", text)
    return re.sub(r"\*([^*]+)\*", r"<em>\1</em>", text)
