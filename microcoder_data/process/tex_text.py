r"""Convert TeX statements (Kattis, olymp.sty) to Markdown; formulas stay as they are.

Figures become `![caption](file)`. Finished parts (code, formulas, tables) are replaced by placeholders while the rest
is converted, so that no later step changes them.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from microcoder_data.process.pairs import AT_ONCE, Pair, pairs_replaced
from microcoder_data.process.tex_arguments import group_at, replace_commands, without_macros
from microcoder_data.process.tex_conditionals import without_conditionals
from microcoder_data.process.tex_tables import tables_to_markdown

_EVIDENCE = re.compile(
    r"\\(?:problemname|section\*?|subsection\*?|paragraph\*?|begin\{(?:itemize|enumerate|verbatim|Input|Output|problem|"
    r"figure|center|tabular|lstlisting|example)\}|InputFile|OutputFile|includegraphics)\b"
)
_WEAK_EVIDENCE = re.compile(r"\\(?:texttt|emph|textbf|textit)\b")
_MARKDOWN = re.compile(r"^(?:#{1,5} |```|-{4,}[ \t]*[A-Za-z][\w \t]*:?[ \t]*-{4,})", re.MULTILINE)
"""Also the headings of the dumps: `-----Input-----`."""
_VERBATIM = re.compile(r"\\begin\{(verbatim|lstlisting|alltt|minted)\*?\}(?:\[[^\]]{0,300}\])?(?:\{\w+\})?\n?")
_VERB_ALONE = re.compile(r"\$\s*(\\verb\*?([^A-Za-z\s{*\[$])[^$\n]*?\2)\s*\$")
_VERB = re.compile(r"\\(?:verb|lstinline)\*?([^A-Za-z\s{*\[])(.*?)\1")
_COMMENT_LINE = re.compile(r"^[ \t]*(?<!\\)%.*\n?", re.MULTILINE)
_COMMENT = re.compile(r"(?<!\\)%.*")
_ADDRESS, _BARE_PERCENT = re.compile(r"\\(?:href|url|nolinkurl)\{[^{}\n]*"), re.compile(r"(?<!\\)%")
"""In an address `%` begins no comment."""
_MATHS = re.compile(
    r"\${6}(?!\$).+?\${6}|\${3}(?!\$).+?\${3}|(?<!\\)\$\$.+?\$\$|(?<!\\)\$[^$]+?(?<!\\)\$|(?:(?P<sign>\\\(|(?<!\\)\\\[)|"
    r"\\begin\{(?P<name>(?:equation|align|gather|multline|displaymath|eqnarray)\*?)\})(?P<first>.)",
    re.DOTALL,
)
"""A formula between dollar signs (on Codeforces three or six), or what begins another one, with its first sign."""
_END_OF_MATHS = {"\\(": re.compile(r"\\\)"), "\\[": re.compile(r"\\\]")}
_HEADINGS = "(?:sub)*(?:section|paragraph)"
_ENVIRONMENT_HEADINGS = re.compile(
    r"\\begin\{(Input|Output|Interaction|Notes?|Limits?)\}|\\(InputFile|OutputFile|Note|Scoring|Examples?)\b"
)
_LIST = re.compile(
    r"\\begin\{(itemize|enumerate|description)\}(?:\[([^\]]*)\])?((?:(?!\\begin\{(?:itemize|enumerate|description)\}).)*?)"
    r"\\end\{\1\}",
    re.DOTALL,
)
_BEFORE_LISTS = re.compile(r"(?=\\begin\{(?:itemize|enumerate|description)\})")
DEEPEST_LIST = 20
"""How many levels of lists inside each other become Markdown, because each costs a pass over the text."""
_LIST_START = re.compile(r"\bstart\s*=\s*(\d{1,3})\b")
_ITEM = re.compile(r"\\item(?![A-Za-z])[ \t]*")
_LABEL = re.compile(r"\[((?:[^\[\]{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\]")
_FIGURE = re.compile(r"\\begin\{((?:wrap|sub|floating)?figure)\*?\}")
_DRAWING = re.compile(r"\\begin\{(tikzpicture|circuitikz|forest|tikzcd|pspicture|pgfpicture|picture)\}")
_WHOLLY_QUOTED = re.compile("``([^`']+)''")
_BOLD = re.compile(r"\\(?:textbf|underline)\{([^{}]*)\}")
_OLD_FONT = re.compile(r"\{\s*\\(em|it|sl|itshape|bf|bfseries|tt|ttfamily)(?![A-Za-z])\s*")
_NEW_FONT = {
    **dict.fromkeys(("em", "it", "sl", "itshape"), "emph"),
    **dict.fromkeys(("bf", "bfseries"), "textbf"),
    **dict.fromkeys(("tt", "ttfamily"), "texttt"),
}
_LAYOUT = "vspace|hspace|vskip|label|newcolumntype|lstdefinestyle|lstset|usepackage|setlength|setcounter|graphicspath|pagestyle|thispagestyle|definecolor|addtolength|lstinputlisting|displaysample|input|include|index|hyphenation"  # noqa: E501
_GROUPS = {"newcolumntype": 2, "lstdefinestyle": 2, "setlength": 2, "setcounter": 2, "definecolor": 3, "addtolength": 2}
_ENVIRONMENT = re.compile(r"\\(?:begin|end)\{(\w+\*?)\}(?:\[[^\]]*\])*")
_ENVIRONMENT_GROUPS = {"minipage": 1, "multicols": 1, "subfigure": 1, "wrapfigure": 2, "adjustbox": 1, "tabularx": 2}
_LENGTH = r"-?[ \t]*(?:\d+(?:\.\d*)?|\.\d+)[ \t]*(?:em|ex|pt|cm|mm|in|pc|bp|sp|fil+|\\[A-Za-z]+)?"
_PRIMITIVE = re.compile(
    r"\\(?:looseness|tolerance|pretolerance|(?:hyphen|exhyphen|club|widow|interline)?penalty|emergencystretch|parskip|parindent|"
    r"baselineskip|columnsep|tabcolsep|[hv]skip|kern|mskip|hsize|leftskip|rightskip)(?![A-Za-z])[ \t]*=?[ \t]*"
    rf"{_LENGTH}(?:[ \t]+(?:plus|minus)[ \t]+{_LENGTH})*[ \t]*"
)
"""TeX's primitive commands, whose number follows without braces: `\\looseness-1`."""
_PREAMBLE = re.compile(r"\\documentclass\b")
_END_OF_PREAMBLE = re.compile(r"\\begin\{document\}(?:\s*\\maketitle\b)?")
"""What stands before a document: its class, packages, title, author and date."""
_REFERENCE = re.compile(r"\\(?:[cC]|auto|eq)?ref\{([^{}]*)\}")
_LABELLED = re.compile(r"\\label\{([^{}]*)\}")
_LITERAL = (
    (re.compile(r"\\textbackslash(?:\{\}|(?![A-Za-z]))|\\backslash(?![A-Za-z])"), "\ue002"),
    (re.compile(r"\\(?:textasciitilde|~)(?:\{\})?"), "\ue003"),
    (re.compile(r"\\(?:textasciicircum|\^)(?:\{\})?"), "^"),
    (re.compile(r"\\text(?:less|greater)(?:\{\})?(?![A-Za-z])"), lambda one: "<" if "less" in one[0] else ">"),
    (re.compile(r"\\(?:emph|textbf|textit|texttt|mathtt|text|mbox|small|ttfamily|tt|bf|it|em)(?![A-Za-z])\s*"), ""),
    (re.compile(r"\\([_{}%&#$ ])"), lambda one: {"{": "\ue004", "}": "\ue005"}.get(one[1], one[1])),
    (re.compile(r"[{}]"), ""),
    (re.compile("~"), " "),
)  # fmt: skip
_SIGNS = {
    "textless": "<", "textgreater": ">", "textbar": "|", "textasciicircum": "^", "textunderscore": "_",
    "textquotedbl": '"', "textbraceleft": "{", "textbraceright": "}", "lbrack": "[", "rbrack": "]", "slash": "/",
    "euro": "€", "pounds": "£",
}  # fmt: skip
"""Signs that `pylatexenc` doesn't know, or shows as others: it would write nothing."""
_QUANTITY = re.compile(r"\\(?:SI|qty)(?:\[[^\[\]]*\])?\{([^{}]*)\}\{([^{}]*)\}|\\(?:nice|s)frac\{(\w+)\}\{(\w+)\}")
_ESCAPED = str.maketrans({"\ue002": "\\", "\ue003": "~", "\ue004": "{", "\ue005": "}"})
_KEPT = "\ue000{}\ue001"
_KEPT_MARK = re.compile("\ue000(\\d+)\ue001")
_MARKDOWN_CODE = re.compile(r"```.*?```|`[^`\n]+`", re.DOTALL)
_QUOTED = re.compile(r"(?<![`\\\w])`(?!`)((?:[^`'\n]|'(?=\w)|\n(?!\s*\n)){1,200}?)'(?![\w'])")
"""TeX's quotation marks, `so': in Markdown the first one would begin code."""
_BLANK_LINES = re.compile(r"(?<![ \t])[ \t]*\n(?:[ \t]*\n)+")
_DOTS = re.compile(r"\\l?dots(?:\{\}|(?![A-Za-z]))")
_BRACKET = re.compile(r"[\[\]]")
MOST_OPEN_BRACKETS = 8
_INDENTATION = re.compile(r"^[ \t]+", re.MULTILINE)


def looks_like_tex(text: str) -> bool:
    """Whether the text is a TeX document rather than text with formulas.

    >>> looks_like_tex("\\\\problemname{Sum} Add."), looks_like_tex("Let $a \\\\le b$ be $\\\\texttt{x}$.")
    (True, False)
    """
    if "\\" not in text or "<p>" in text:
        return False
    if not _EVIDENCE.search(text) and not _WEAK_EVIDENCE.search(text):
        return False
    outside = pairs_replaced(text, _MATHS, _ends_of_maths, lambda _: " ") if "$" in text or "\\(" in text else text
    if _EVIDENCE.search(outside):
        return True
    return _WEAK_EVIDENCE.search(outside) is not None and not _MARKDOWN.search(text)


def fonts_to_markdown(text: str) -> str:
    r"""Font commands outside code and formulas, in a text that is no TeX document.

    >>> fonts_to_markdown(r"Print \texttt{a_b}, never \textbf{no}, for $\texttt{x}$.")
    'Print `a_b`, never **no**, for $\\texttt{x}$.'
    """
    if not _WEAK_EVIDENCE.search(text) and "\\verb" not in text:
        return text
    kept: list[str] = []

    def keep(piece: str) -> str:
        kept.append(piece)
        return _KEPT.format(len(kept) - 1)

    def restored(piece: str) -> str:
        while _KEPT_MARK.search(piece):
            piece = _KEPT_MARK.sub(lambda mark: kept[int(mark[1])], piece)
        return piece

    text = _MARKDOWN_CODE.sub(lambda code: keep(code[0]), _KEPT_MARK.sub("", text))
    text = pairs_replaced(_VERB_ALONE.sub(r"\1", text), _MATHS, _ends_of_maths, lambda formula: keep(formula.whole))
    text = _VERB.sub(lambda verbatim: keep(_code(verbatim[2])), text)
    text = replace_commands(text, "texttt", 1, lambda _, groups: _code(_literal(restored(groups[0]))))
    text = replace_commands(text, "emph|textit", 1, lambda _, groups: _marked("*", groups[0]))
    return restored(replace_commands(text, "textbf", 1, lambda _, groups: _marked("**", groups[0])))


def tex_to_markdown(text: str) -> str:
    """The Markdown of a TeX statement.

    >>> tex_to_markdown("\\\\section*{Input}\\nOne \\\\emph{number} $n$.")
    '## Input\\n\\nOne *number* $n$.'
    >>> tex_to_markdown("\\\\problemname{Sum} Print `\\\\texttt{.}' or `no'.")
    'Print ‘`.`’ or ‘no’.'
    """
    kept: list[str] = []

    def keep(piece: str) -> str:
        kept.append(piece)
        return _KEPT.format(len(kept) - 1)

    def restored(piece: str) -> str:
        while _KEPT_MARK.search(piece):
            piece = _KEPT_MARK.sub(lambda mark: kept[int(mark[1])], piece)
        return piece

    def code(_: str, groups: list[str]) -> str:
        parts = [_literal(restored(part)) for part in _BOLD.split(groups[0])]
        return keep(_code(parts[0]) if len(parts) == 1 else _code_with_bold(parts))

    def inline(piece: str) -> str:
        return restored(_plain(_inline(piece, code, keep)))

    text = _KEPT_MARK.sub("", text)
    text = pairs_replaced(
        text, _VERBATIM, _ends_by_name, lambda pair: "\n\n" + keep(f"```\n{pair.inside.rstrip()}\n```") + "\n\n"
    )
    text = _VERB.sub(lambda match: keep(_code(match[2])), text)
    text = _ADDRESS.sub(lambda address: _BARE_PERCENT.sub(r"\\%", address[0]), text)
    text = _INDENTATION.sub("", _COMMENT.sub("", _COMMENT_LINE.sub("", text)))
    text = pairs_replaced(without_macros(without_conditionals(text)), _PREAMBLE, lambda _: [_END_OF_PREAMBLE])
    text = _numbered_references(text)
    text = pairs_replaced(text, _MATHS, _ends_of_maths, lambda formula: keep(_dollars(formula)))
    text = pairs_replaced(text, _DRAWING, _ends_by_name, lambda _: r"\includegraphics{}")
    text = pairs_replaced(text, _FIGURE, _ends_by_name, lambda figure: _figure(figure.inside, inline, keep))
    text = replace_commands(
        text, "illustration|illustrationraw", 3, lambda _, groups: _image(groups[1], inline(groups[2]), keep)
    )
    text = replace_commands(text, "includegraphics", 1, lambda _, groups: _image(groups[0], "", keep))
    text = replace_commands(text, "problemname", 1, lambda *_: "")
    text = _PRIMITIVE.sub("", text)
    for name in _LAYOUT.split("|"):
        if f"\\{name}" in text:
            text = replace_commands(text, name, _GROUPS.get(name, 1), lambda *_: "")
    text = tables_to_markdown(text, inline, keep)
    text = _ENVIRONMENT_HEADINGS.sub(lambda match: f"\n\n## {_heading_word(match[1] or match[2])}\n\n", text)
    text = replace_commands(text, _HEADINGS, 1, lambda _, groups: f"\n\n## {' '.join(groups[0].split())}\n\n")
    last = 0

    def listed(match: re.Match[str]) -> str:
        nonlocal last
        option = match[2] or ""
        start = _LIST_START.search(option)
        first = int(start[1]) if start else last + 1 if "resume" in option else 1
        if match[1] == "enumerate":
            last = first + max(0, len(_ITEM.split(match[3])) - 2)
        return _items(match[1], match[3], keep, first)

    for _ in range(DEEPEST_LIST):
        before, text = text, "".join(_LIST.sub(listed, piece) for piece in _BEFORE_LISTS.split(text))
        if text == before:
            break
    text = _ITEM.sub("\n- ", text)  # outside any list
    text = _without_environments(text)
    text = _inline(text, code, keep)
    text = "\n\n".join(_plain(paragraph) for paragraph in re.split(r"\n[ \t]*\n", text))
    return restored(_BLANK_LINES.sub("\n\n", text)).strip()


def _inline(text: str, code: Any, keep: Any) -> str:
    """Convert fonts, links, quotations and footnotes; `code` converts text in a typewriter font."""
    open_groups = sum(group_at(text, font.start()) is None for font in _OLD_FONT.finditer(text))
    text = _OLD_FONT.sub(lambda font: f"\\{_NEW_FONT[font[1]]}{{", text) + "}" * open_groups
    text = _DOTS.sub("...", text)
    text = replace_commands(text, "texttt|verb|lstinline|mintinline", 1, code)
    text = _QUOTED.sub(r"‘\1’", text)
    text = replace_commands(text, "mbox|hbox|fbox|textrm|textnormal|textsf|textup", 1, lambda _, groups: groups[0])
    text = replace_commands(text, "emph|textit|textsl|textsc|underline", 1, lambda _, groups: _marked("*", groups[0]))
    text = replace_commands(text, "textbf", 1, lambda _, groups: _marked("**", groups[0]))
    text = replace_commands(text, "href", 2, lambda _, groups: f"[{groups[1]}]({keep(_address(groups[0]))})")
    text = replace_commands(text, "url|nolinkurl|path", 1, lambda _, groups: keep(_address(groups[0])))
    text = replace_commands(text, "problemQuote", 2, lambda _, groups: f"\n\n> {groups[0]} ({groups[1]})\n\n")
    text = replace_commands(text, "caption", 1, lambda _, groups: f"\n\n{groups[0].strip()}\n\n")
    return replace_commands(text, "footnote", 1, lambda _, groups: f" ({groups[0].strip()})")


def _marked(mark: str, inside: str) -> str:
    """Put emphasis around the text, without the spaces at its ends."""
    word = inside.strip()
    if not word or (mark == "**" and _KEPT_MARK.fullmatch(word)):
        return inside  # code needs no emphasis
    left, right = inside[: len(inside) - len(inside.lstrip())], inside[len(inside.rstrip()) :]
    return f"{left}{mark}{word}{mark}{right}"


def _address(tex: str) -> str:
    return re.sub(r"\\([_%&#~$])", r"\1", tex).strip()


def _numbered_references(text: str) -> str:
    """The text with references replaced by the number of their label, counted by kind (`fig:`, `tab:`)."""
    numbers: dict[str, int] = {}
    counted: dict[str, int] = {}
    for label in _LABELLED.findall(text):
        kind = label.partition(":")[0] if ":" in label else ""
        counted[kind] = counted.get(kind, 0) + 1
        numbers.setdefault(label, counted[kind])
    return _REFERENCE.sub(lambda match: str(numbers.get(match[1], "")), text)


def _figure(body: str, inline: Any, keep: Any) -> str:
    """The pictures of a figure, each with the caption that follows it; other text in the figure stays."""
    files: list[str] = []
    captions: list[str] = []

    def found(name: str, groups: list[str]) -> str:
        if name == "includegraphics":
            files.append(groups[0].strip())
            captions.append("")
        elif captions:
            captions[-1] = inline(groups[0])
        else:
            return f"\n\n\\caption{{{groups[0]}}}\n\n"
        return ""

    rest = replace_commands(body, "includegraphics|caption", 1, found)
    if not files:
        return f"\n\n{rest}\n\n"
    rest = re.sub(r"\\(?:centering|label\{[^{}]*\})|\A(?:\[[^\]]*\]|\{[^{}]*\})+", "", rest)
    images = "\n".join(_image(file, caption, keep) for file, caption in zip(files, captions, strict=True))
    return f"\n\n{images}\n\n{rest.strip()}\n\n"


def _image(file: str, caption: str, keep: Any) -> str:
    words = " ".join(caption.replace("[", "(").replace("]", ")").split())
    mark: str = keep(f"![{words}]({file.strip().replace(' ', '%20')})")
    return f"\n\n{mark}\n\n"


def _items(kind: str, body: str, keep: Any, start: int) -> str:
    """The items of one list as Markdown; further lines of an item are indented."""
    before, *items = _ITEM.split(body)
    lines = [before.strip()] if before.strip() else []
    for number, item in enumerate(items, start):
        mark = f"{number}. " if kind == "enumerate" else "- "
        if label := _LABEL.match(item):
            item = (_marked("**", label[1]) if kind == "description" else label[1]) + " " + item[label.end() :].lstrip()
            mark = "- "
        first, *rest = _BLANK_LINES.sub("\n\n", item.strip()).split("\n")
        indentation = keep(" " * len(mark))
        lines.append(keep(mark) + first)
        lines += [indentation + line if line else "" for line in rest]
    return "\n\n" + "\n".join(lines) + "\n\n"


def _without_environments(text: str) -> str:
    """Replace environments without a Markdown form by paragraph breaks, and remove their arguments."""
    pieces, end = [], 0
    for found in _ENVIRONMENT.finditer(text):
        at = found.end()
        for _ in range(_ENVIRONMENT_GROUPS.get(found[1], 0) if found[0].startswith("\\begin") else 0):
            group = group_at(text, at)
            at = group[1] if group else at
        pieces.append(text[end : found.start()])
        end = at
    return "\n\n".join([*pieces, text[end:]])


def _heading_word(name: str) -> str:
    """`InputFile` as `Input`."""
    return name.replace("File", "")


def _code(text: str) -> str:
    if not text.strip():
        return text
    if quoted := _WHOLLY_QUOTED.fullmatch(text.strip()):
        return f"“`{quoted[1]}`”"
    return f"`` {text} ``" if "`" in text else f"`{text}`"


def _code_with_bold(parts: list[str]) -> str:
    """Code of which every second part is bold: the text may speak of what is bold."""
    shown = []
    for place, part in enumerate(parts):
        mark, inside = "**" * (place % 2), part.strip()
        shown.append(part.replace(inside, f"{mark}{_code(inside)}{mark}", 1) if inside else part)
    return "".join(shown)


def _ends_of_maths(opened: re.Match[str]) -> list[re.Pattern[str]]:
    if opened["first"] is None:
        return [AT_ONCE]
    return [_END_OF_MATHS[opened["sign"]] if opened["sign"] else _end_of(opened["name"])]


def _ends_by_name(opened: re.Match[str]) -> list[re.Pattern[str]]:
    return [_end_of(opened[1], r"\*?")]


@lru_cache(maxsize=64)
def _end_of(name: str, star: str = "") -> re.Pattern[str]:
    return re.compile(rf"\\end\{{{re.escape(name)}{star}\}}")


def _dollars(formula: Pair) -> str:
    """A formula between dollar signs."""
    opened = formula.opened
    if opened["first"] is None:
        return opened[0]
    body = (opened["first"] + formula.inside).strip()
    if opened["sign"]:
        return f"${body}$" if opened["sign"] == "\\(" else f"$${body}$$"
    lines = opened["name"].rstrip("*") not in ("equation", "displaymath", "multline")
    return f"\n\n$$\\begin{{aligned}}{body}\\end{{aligned}}$$\n\n" if lines else f"\n\n$${body}$$\n\n"


def _literal(tex: str) -> str:
    """The text as a typewriter font shows it: without ligatures, so that `--` and two quotation marks stay."""
    for pattern, sign in _LITERAL:
        tex = pattern.sub(sign, tex)
    return tex.translate(_ESCAPED)


def _plain(tex: str) -> str:
    """The text without the TeX that is left."""
    if "\\" not in tex and "{" not in tex and "~" not in tex and "``" not in tex and "--" not in tex:
        return tex.strip()
    text: str
    if "\\SI" in tex or "\\qty" in tex or "frac{" in tex:
        tex = _QUANTITY.sub(_quantity, tex)
    try:
        text = _reader().latex_to_text(tex) if _open_brackets(tex) <= MOST_OPEN_BRACKETS else _without_names(tex)
    except (IndexError, AttributeError, TypeError, ValueError, RecursionError):
        text = _without_names(tex)  # a command has fewer arguments than the library expects, or they nest too deeply
    return text.strip()


def _quantity(found: re.Match[str]) -> str:
    r"""A number with its unit, `\SI{5}{\kilo\meter}`, or a fraction in a sentence."""
    number, unit, above, below = found.groups()
    if above:
        return f"{above}/{below}"
    unit = re.sub(r"\\per(?![A-Za-z])", " per ", unit).replace("\\percent", "\\%")
    return f"{number} " + re.sub(r"\\(?=[A-Za-z])", "", unit).strip()


def _open_brackets(tex: str) -> int:
    """How many brackets are open at once; the library reads what follows an open one twice."""
    depth = deepest = 0
    for sign in _BRACKET.findall(tex):
        depth = depth + 1 if sign == "[" else max(0, depth - 1)
        deepest = max(deepest, depth)
    return deepest


def _without_names(tex: str) -> str:
    return re.sub(r"\\[A-Za-z]+\*?|[{}]", " ", tex)


@lru_cache(maxsize=1)
def _reader() -> Any:
    from pylatexenc.latex2text import LatexNodes2Text, MacroTextSpec, get_default_latex_context_db

    names = get_default_latex_context_db()
    signs = [MacroTextSpec(name, sign) for name, sign in _SIGNS.items()]
    names.add_context_category("signs", macros=signs, prepend=True)
    return LatexNodes2Text(names, math_mode="verbatim", strict_latex_spaces=False, keep_comments=False)
