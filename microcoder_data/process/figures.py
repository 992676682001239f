"""Find figures that a statement needs and lacks, and remove links to figures that have no address.

A link with an address is kept: a reader can open it. A figure without an address is missing, and so is the picture of a
formula, which stands for words of its sentence. The row needs a figure when the text refers to it and cannot be
understood without it. A figure of a sample, a decorative photograph, or a figure that is only mentioned in brackets
(`(see figure)`) is not needed.
A placeholder (`[Image]`) that stands between sentences is not needed either; inside a sentence, or after a colon, it was
a formula or a drawing that the text needs.
"""

# ruff: noqa: E501 - a pattern or a word list is one line

from __future__ import annotations

import re
from itertools import islice

from microcoder_data.phrases import Phrases
from microcoder_data.process.announced_figures import GONE as _GONE
from microcoder_data.process.announced_figures import NOUN as _NOUN
from microcoder_data.process.announced_figures import without_announcements
from microcoder_data.process.removed_formulas import removed_formula
from microcoder_data.process.render import whole_text
from microcoder_data.process.text import text_parts
from microcoder_data.schema import Row

_LINK = re.compile(
    r"!\\?\[(?P<caption>[^\]!]*(?:!(?!\\?\[)[^\]!]*)*)\]\((?P<place><[^<>\n]*>|(?:[^()\n]|\([^()\n]*\))*)\)"
    r"(?:\{(?=[^{}\n]*=|[.#])[^{}\n]*\})?"
)
"""With Pandoc's attributes behind it: `![](tree.png){width="40%"}`. No other one begins in the caption."""
_ADDRESS = re.compile(r"<?(?:https?:|data:|//)", re.IGNORECASE)
_TOLERANCE_AS_A_FORMULA = re.compile(
    r"(?<!\s)\s*(?:[—–]\s*formally, the answer is correct|\b(?:Namely|Formally|More (?:specifically|formally))\b[^\n]{0,200}?\b(?:correct|accepted)),?"
    r"\s+if\s*(?:!\[\]\([^()\n]*\)|<image>|\[image\])[^.\n]*\.?",
    re.IGNORECASE,
)
"""Says again, by the picture of a formula, which error the sentence before allows."""
_SHOWN_OF_A_TEST = 2000
_SHOWN_BEFORE = 40
_INLINE_CODE = re.compile(r"`[^`\n]*`")
_PLACEHOLDER = r"<image>|(?<![!\w])\[image\](?!\()|(?<![^\s(])\$\$\$\$(?![^\s.,;:)])"
"""`$$$$` too, an empty formula."""
_LOST = re.compile(rf"{_PLACEHOLDER}|<img\b[^<>]*>", re.IGNORECASE)
_CODE_OR_PLACEHOLDER = re.compile(
    rf"(```.*?```|`[^`\n]*`)|(?<![ \t])[ \t]*(?:(?:{_PLACEHOLDER})[ \t]*)+", re.IGNORECASE | re.DOTALL
)
"""Several placeholders side by side are one match."""
_GOES_ON_TO = re.compile(
    r"[\w,;=(*_$-](?<!figure)(?<!picture)(?<!image)(?<!diagram)(?<!below)(?<!this)$", re.IGNORECASE
)
_GOES_ON = re.compile(r"[a-z,.;()?*_$=+–—-]")
"""What stands before the picture of a formula, and behind it."""
_WANTS_A_WORD = re.compile(r"\b(?:is|are|be|equals?|equal to|and|or|than)$")
_SAYS_OF_IT = re.compile(r"(?:is|are|denotes?|means?|stands? for|equals?)\b")
"""What stands before the picture of a formula that ends its line, and behind one that begins it."""
_AN_EXAMPLE = re.compile(r"\bexamples?\b|\bfor instance\b|\be\.g\.|例", re.IGNORECASE)
"""Such a picture illustrates: `An example of such a tree is <picture>`."""
_DEFINES_A_FUNCTION = re.compile(
    r"\b(?:defined? [^.:=\n]{0,40}\bfunctions?|functions? [^.:=\n]{0,40}\bdefined)\b[^.:=\n]*\.$", re.IGNORECASE
)
_BETWEEN_SENTENCES = re.compile(r"[.!?。！？)\]]")
_POINTS_AT_IT = re.compile(
    r"\b(?:below|shown|depicted|drawn|looks? like|like this|this way)\b|\bfollow(?:s|ing)\b[^.:]{0,12}[.:]?$|"
    r"\bfollowing (?:figure|image|picture|diagram|drawing|illustration|graph|tree|formula|expression|configuration|shape)",
    re.IGNORECASE,
)
_REFERS = Phrases(
    rf"(?:shown|depicted|illustrated|drawn|given|seen|presented|described|displayed|defined|marked)\s+(?:in|on|by|at)\s+(?:the\s+|this\s+|these\s+)?(?:\w+\s+)?{_NOUN}|"
    rf"(?:(?<!to )(?<!can )(?<!could )see|look at|refer to|as in|according to)\s+(?:the\s+|this\s+)?(?:\w+\s+)?{_NOUN}|"
    r"from\s+(?:the\s+|this\s+)(?:figure|image|picture|diagram|drawing|illustration)\b|"
    rf"(?:following|above|below)\s+{_NOUN}\s+(?:shows?|depicts?|illustrates?|describes?|demonstrates?|explains?)|"
    rf"(?<!\bon )(?<!\bin )(?:the|this|these|(?:first|second|third|left|right) )\s*{_NOUN}\s+(?:(?:that follows?|(?:on|at) the (?:left|right|top))\s+)?(?:shows?|depicts?|illustrates?)|"
    r"\b(?:figure|image|picture|diagram|illustration|fig\.)\s+\d{1,2}\s+(?:shows|depicts|illustrates)|"
    rf"\bbelow\s+(?:is|are|you (?:can )?see)\s+(?:an?|the|some)\s+{_NOUN}|"
    rf"{_NOUN}\s+(?:above|below|to the (?:left|right))|"
    r"\b(?:se|visas? i|enligt|på|i)\s+(?:figuren|bilden|diagrammet)\b|(?:如|见)(?:下|上|右|左)?图|(?:下|上)图(?:所示|中)|図(?:のよう|に示)|(?:на|см\.)\s+(?:рисунк|картинк)",
    "figure", "image", "picture", "diagram", "drawing", "photo", "illustration", "animation", "sketch", "screenshot", "fig.", "figuren", "bilden", "diagrammet", "图", "図", "рисунк", "картинк",
)  # fmt: skip
_HAS_A_PICTURE = re.compile(
    r"\b(?:gave|gives?|given|has|have|had|got|draws?|drew|paint(?:s|ed)|bought|found|received|presented)\b[^.\n]{0,40}"
    r"\ba (?:\w+ )?(?:picture|drawing|painting|image|photo)\b(?! (?:below|above|shows?|of the))"
)
_IN_THE_STORY = re.compile(r"(?:on|by|at|in) (?:the|this) (?:picture|drawing|painting|image|photo)$")
"""`Santa gave Masha a picture`: the text is about it, and says all of it."""
_OF_A_SAMPLE = re.compile(
    r"\b(?:samples?|examples?|explanations?|test ?cases?|input ?\d|exempel\w*)\b|示例|样例|例|пример",
    re.IGNORECASE,
)
_SAMPLE_FILE = re.compile(r"(?:sample|example|exampel|exempel|\bex|case|test|explan)[-_ ]?\d*", re.IGNORECASE)
_CREDIT = re.compile(
    r"\b(?:photo|image|picture|bild|foto|drawing)s?\s*(?:by|from|:|av|courtesy)|wikimedia|pixabay|unsplash|flickr|\bcc[- ]?by|"
    r"public domain|creative commons|©|source:|adapted from|licen[cs]e",
    re.IGNORECASE,
)
_ILLUSTRATES = re.compile(
    r"^\W*some\b|\b(?:to|for) (?:better )?(?:visuali[sz]e|understand|clarity|clarification)|\b(?:more clearly|(?:make|makes) (?:it|this|things) clearer)\b|"
    r"\billustrations? of (?:the|these|those|this|that) (?:definitions?|notions?|concepts?|terms?)|"
    rf"{_NOUN} of (?:an? )?(?:possible|valid|typical)\b|"
    r"\b(?:with|for|when) \$?\w\$? ?= ?\$?\d|"
    r"\blike (?:in )?the (?:image|figure|picture)|\bfor (?:example|instance)\b|"
    r"\bthe first \$?\d+\$? \w|\bhere(?:'s| is) an illustration\b|\bhere are some\b|"
    r"\bwith \$?\d+\$? \w+ looks? like\b|"
    r"\b(?:rules|constraints|conditions|definitions|process) (?:is|are) illustrated\b|"
    r"\bconsider the following (?:\w+ )?(?:grid|example|graph|tree|board|map|situation|scenario|case|network)\b|"
    rf"\bin (?:the|this) {_NOUN} (?:above |below )?there (?:is|are)\b|"
    rf"{_NOUN} (?:above |below |that )?(?:shows?|depicts?|illustrates?) (?:(?:an?|one) [^.]*\d|(?:one|some|an example) of\b|how (?:an? )?\$?\d)"
)
_EXAMPLE_BEFORE = re.compile(r"\b(?:for (?:example|instance)|in the following example)\b")
_REACH_OF_AN_EXAMPLE = 500
_SHOWS = re.compile(
    rf"{_NOUN}\s+(?:\w+\s+)?(?:shows?|depicts?|illustrates?)\s+(?:an?\s+|the\s+|some\s+)?([a-z0-9][a-z0-9 -]*?)s?(?=\s+(?:with|of|for|where)\b|[,.;:\n]|\s*$)"
)
_CAPTION_OF_A_SAMPLE = re.compile(
    rf"[ \t]*(?:the|this)?\s*{_NOUN}\s+[^.\n]{{0,40}}\b(?:samples?|examples?|test ?cases?)\b", re.IGNORECASE
)
_SAMPLE_IS_SHOWN = re.compile(
    rf"\b(?:samples?|examples?|test ?cases?)\b[^.\n]{{0,20}}\b(?:is|are)\s+(?:shown|depicted|illustrated)\s+(?:on|in|at|by)\s+(?:the|this)\s+{_NOUN}",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"(?<=[.!?。！？])\s|\n[ \t]*\n|(?<=[。！？])")
_NO_SPACES = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_BRACKET = re.compile(r"\(([^()]{0,60})\)")
_MOST_LOOKED_AT = 100
"""Places of a statement: each takes time in proportion to its length."""
_CUT = re.compile(rf"[\w:,(=][ \t]*{_GONE}[ \t{_GONE}]*[,.;]")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d+[.)])[ \t]")
_EXAMPLE = re.compile(rf"\b(?:for )?examples?:[ \t]*{_GONE}[ \t{_GONE}]*[.,;]?[ \t]*", re.IGNORECASE)
"""`Example: <image>.` between sentences."""
_TABLE_OF_FIGURES = re.compile(
    rf"^[ \t|]*{_GONE}[ \t|{_GONE}]*\n[ \t|:]*-{{3,}}[ \t|:-]*$(?:\n[ \t|]*[^\n]{{0,40}}\b{_NOUN}\b[^\n]{{0,80}}$)?",
    re.IGNORECASE | re.MULTILINE,
)
"""The head of a table, whose cells were figures, and its caption."""
_DRAWN_WITHIN = 700
_BLOCK_BEHIND_A_COLON = re.compile(r"[^.\n]{0,40}:\s*\n\s*(?:```|~~~)")
_DRAWN_LINES = re.compile(r"(?:^(?!\d+[.)])[^A-Za-z\n`]{3,}\n){3}", re.MULTILINE)
LONG_CAPTION, LONG_SENTENCE = 8, 8
"""In words. A caption of this length is worth keeping; a sentence of this length is understood without its brackets."""


def missing_figure(row: Row, any_figure: bool = False) -> str | None:
    """The words that need a missing figure, or None. With `any_figure`, any words about or link to a figure.

    >>> from microcoder_data.schema import new_row
    >>> missing_figure(new_row(statement="The tiles lie as shown in the figure. Count them."))
    'shown in the figure'
    >>> missing_figure(new_row(statement="As shown in the figure ![](https://a.org/b.png), tiles lie in rows of 7."))
    """
    text = _prose({**row, "notes": None} if row["notes"] and row["samples"] else row)
    if "![](" in text or _may_have_lost(text):
        text = _TOLERANCE_AS_A_FORMULA.sub("", text)
    links = list(_LINK.finditer(text)) if "](" in text else []
    prose = _LINK.sub(lambda link: " " * len(link[0]), text) if links else text  # a link may be called [image]
    lower = prose.lower()
    reference = _REFERS.search(lower)
    if any_figure:
        return (links[0][0] if links else None) or (_LOST.search(prose) or reference or [None])[0]
    if _may_have_lost(prose):
        for lost in islice(_LOST.finditer(_INLINE_CODE.sub(lambda code: "x" * len(code[0]), prose)), _MOST_LOOKED_AT):
            if _cuts_a_sentence(lost) or _is_led_up_to(lost):
                return lost[0]
    for link in links[:_MOST_LOOKED_AT]:
        if _is_a_word(link) or (_stands_for_words(link) and _is_led_up_to(link)):
            return text[max(0, link.start() - _SHOWN_BEFORE) : link.start()].rpartition("\n")[2].lstrip() + link[0]
    notes = _without_code(row["notes"] or "")
    for lost in islice(_LOST.finditer(notes if _may_have_lost(notes) else ""), _MOST_LOOKED_AT):
        if _cuts_a_sentence(lost) and not _OF_A_SAMPLE.search(notes, 0, lost.start()):
            return lost[0]
    if gap := removed_formula(prose, _read_and_printed(row)):
        return gap
    beside = "\n".join([row["notes"] or "", *(one["explanation"] or "" for one in row["samples"])])
    if _SAMPLE_IS_SHOWN.search(notes) and len(links) + len(_LOST.findall(prose)) < 2:
        return None  # the only figure is that of a sample
    linked = any(_ADDRESS.match(link["place"]) for link in [*links, *_LINK.finditer(beside)])
    if not linked and links and all(_illustrates(link) for link in links):
        return None
    for _ in range(_MOST_LOOKED_AT):
        if reference is None:
            break
        sentence = _sentence_around(lower, reference)
        # A model cannot open a link: a sentence that says only "see the figure" needs the figure.
        not_needed = (
            _in_passing(lower, reference, sentence)
            or _shows_what_is_defined(lower, sentence)
            or _is_drawn(whole_text(row), reference[0])
            or (_IN_THE_STORY.search(reference[0]) and _HAS_A_PICTURE.search(lower, 0, reference.start()))
        )
        if not not_needed and not (linked and _words(sentence) > LONG_SENTENCE):
            return reference[0]
        reference = _REFERS.search_from(lower, reference.end())
    return None


def remove_dead_figures(row: Row) -> int:
    """Remove placeholders and links without an address, but keep long captions. Returns how many were removed.

    A line that only announces such a figure goes with it: "The graph of the first example:".
    """
    removed = 0

    def replace(link: re.Match[str]) -> str:
        nonlocal removed
        if _ADDRESS.match(link["place"]):
            return link[0]
        removed += 1
        caption = " ".join(link["caption"].split())
        if _CREDIT.search(caption) or len(caption.split()) < LONG_CAPTION:
            return _GONE
        return f"(Figure: {caption})"

    def space(found: re.Match[str]) -> str:
        nonlocal removed
        if found[1]:
            return found[1]
        removed += len(_LOST.findall(found[0]))
        return f" {_GONE}"

    for part, name in text_parts(row):
        text = shorter = part[name] or ""
        if "[" not in text and "<" not in text and "$$" not in text:
            continue  # there is no figure in most
        if "![](" in shorter or _may_have_lost(shorter):
            shorter, count = _TOLERANCE_AS_A_FORMULA.subn("", shorter)
            removed += count
        if "![" in shorter or "!\\[" in shorter:
            shorter = _LINK.sub(replace, shorter)
        if _may_have_lost(shorter):
            shorter = _CODE_OR_PLACEHOLDER.sub(space, shorter)
        if shorter != text:
            of_samples = name in ("notes", "explanation")
            shorter = without_announcements(_TABLE_OF_FIGURES.sub("", shorter), of_samples)
            if of_samples:
                shorter = _without_cut_sentences(shorter)
            shorter = _EXAMPLE.sub("", shorter).replace(_GONE, "")
            part[name] = re.sub(r"\n{3,}", "\n\n", re.sub(r"(?m)^[ \t]+$", "", shorter)).strip()
    return removed


def _without_cut_sentences(text: str) -> str:
    """Notes without the sentences in which something stood for words, and without lists that have lost words.

    >>> _without_cut_sentences(f"One way is {_GONE}, then {_GONE}. It takes 2 steps.")
    'It takes 2 steps.'
    """
    blocks: list[str] = []
    for block in text.split("\n\n"):
        lines = block.split("\n")
        cut = [place for place, line in enumerate(lines) if _GONE in line and _cut_in(line)]
        if any(_ITEM.match(lines[place]) for place in cut):
            if blocks and blocks[-1].rstrip().endswith(":"):
                blocks.pop()
            continue
        for place in cut:
            lines[place] = " ".join(one for one in _SENTENCE_END.split(lines[place]) if not _cut_in(one))
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks)


def _cut_in(text: str) -> bool:
    """Whether something in a line or sentence stood for words: it goes on behind that, not with a new sentence."""
    return _CUT.search(text) is not None or any(
        (rest := gone.string[gone.end() :].lstrip(f" \t|{_GONE}")) and not rest[0].isupper()
        for gone in re.finditer(_GONE, text)
    )


def _may_have_lost(text: str) -> bool:
    """A fast check: `False` says that no figure is lost."""
    if "[" not in text and "<" not in text and "$$" not in text:
        return False
    lower = text.lower()
    return "[image]" in lower or "<im" in lower or "$$$$" in text


def _prose(row: Row) -> str:
    """The text with its code blocks blanked out. Explanations of samples are not in it: they may speak of figures."""
    return _without_code(whole_text(row))


def _without_code(text: str) -> str:
    return _CODE.sub(_blanked, text) if "```" in text else text


_CODE = re.compile(r"```.*?```", re.DOTALL)


def _blanked(code: re.Match[str]) -> str:
    """Spaces for a block; letters for code in a sentence, which has no gap there."""
    return (" " if "\n" in code[0] else "x") * len(code[0])


def _read_and_printed(row: Row) -> str:
    """The samples and the first tests, cut."""
    pairs = [*row["samples"], *row["tests"][:2]]
    return "\n".join((pair[side] or "")[:_SHOWN_OF_A_TEST] for pair in pairs for side in ("input", "output"))


def _cuts_a_sentence(lost: re.Match[str]) -> bool:
    """Whether a sentence goes on behind what was lost.

    >>> cut, between = "Print <image>, rounded.", "A game is played. [Image] Two players move."
    >>> [_cuts_a_sentence(lost) for text in (cut, between) for lost in _LOST.finditer(text)]
    [True, False]
    """
    after = _LOST.sub(" ", lost.string[lost.end() :]).partition("\n")[0].strip(" \t|")
    return bool(after) and not after[0].isupper()


def _is_a_word(link: re.Match[str]) -> bool:
    """Whether a sentence goes on around a link to a figure without a caption: it shows a formula.

    >>> [_is_a_word(link) for link in _LINK.finditer("Print ![](a.png), rounded.\\n\\nThe map ![](b.png)")]
    [True, False]
    """
    if link["caption"].strip():
        return False
    before = link.string[: link.start()].rpartition("\n")[2].rstrip(" \t")
    after = link.string[link.end() :].partition("\n")[0].lstrip(" \t")
    if not before or not after:
        words, beside = _SAYS_OF_IT.match(after) if after else _WANTS_A_WORD.search(before), before or after
        return words is not None and not (_AN_EXAMPLE.search(beside) or _ILLUSTRATES.search(beside.lower()))
    return _GOES_ON_TO.search(before) is not None and _GOES_ON.match(after) is not None


def _stands_for_words(link: re.Match[str]) -> bool:
    """Whether a link is to a figure that nobody can open and no caption describes, behind a colon or a definition."""
    if _ADDRESS.match(link["place"]) or link["caption"].strip() or _illustrates(link):
        return False
    before = link.string[: link.start()].rstrip()
    return before[-1:] == ":" or _DEFINES_A_FUNCTION.search(before, before.rfind("\n") + 1) is not None


def _is_led_up_to(lost: re.Match[str]) -> bool:
    """Whether the sentence before ends in what was lost or points at it; not where that is about a sample.

    >>> led_up_to, of_a_sample = "The sum is:\\n\\n<image>", "Sample 1:\\n\\n<image>"
    >>> [_is_led_up_to(lost) for text in (led_up_to, of_a_sample) for lost in _LOST.finditer(text)]
    [True, False]
    """
    if _CAPTION_OF_A_SAMPLE.match(lost.string, lost.end()):
        return False
    before = _LOST.sub(" ", lost.string[: lost.start()]).rstrip(" \t\n|")
    sentence = _SENTENCE_END.split(before.rpartition("\n\n")[2])[-1]
    if not sentence or _OF_A_SAMPLE.search(sentence) or _ILLUSTRATES.search(sentence.lower().replace("*", "")):
        return False
    if _of_an_example(lost.string, lost.start()):
        return False
    if not _BETWEEN_SENTENCES.match(sentence[-1]):
        return True
    if _DEFINES_A_FUNCTION.search(sentence):
        return True
    return _POINTS_AT_IT.search(sentence) is not None and not _shows_what_is_defined(
        lost.string.lower(), sentence.lower()
    )


def _of_an_example(text: str, place: int, behind_a_figure: bool = False) -> bool:
    """Whether the text shortly before a place tells an example: in its paragraph, or above another figure of it.

    >>> told = "For example, here is a box:\\n\\n<image>\\n\\nPush it west:\\n\\n<image>"
    >>> _of_an_example(told, told.rindex("<image>")), _of_an_example(told.replace("<image>", ""), 60)
    (True, False)
    """
    before = text[max(0, place - _REACH_OF_AN_EXAMPLE) : place].rstrip()
    *_, begins = [None, *_EXAMPLE_BEFORE.finditer(before.lower())]
    if begins is None:
        return False
    told = before[begins.end() :]
    return behind_a_figure or "\n\n" not in told or "](" in told or _LOST.search(told) is not None


def _illustrates(link: re.Match[str]) -> bool:
    """Whether a figure shows a sample or is decorative, by its caption and the name of its file."""
    caption, file = link["caption"], link["place"].rpartition("/")[2]
    return bool(_OF_A_SAMPLE.search(caption) or _CREDIT.search(caption) or _SAMPLE_FILE.search(file))


def _sentence_around(text: str, reference: re.Match[str]) -> str:
    start, end = 0, len(text)
    for stop in _SENTENCE_END.finditer(text):
        if stop.end() <= reference.start():
            start = stop.end()
        elif stop.start() >= reference.end():
            end = stop.start()
            break
    return text[start:end]


def _words(text: str) -> int:
    """How many words a text has; in a script without spaces two characters count as a word.

    >>> _words("as shown here"), _words("连分数是形如上图的分式")
    (3, 6)
    """
    return len(text.split()) + len(_NO_SPACES.findall(text)) // 2


def _is_drawn(text: str, words: str) -> bool:
    """Whether a drawing of characters follows the words: a block behind a colon, or lines without letters.

    >>> _is_drawn("It is shown in the diagrams below.\\n\\n000\\n010\\n000\\n", "diagrams below")
    True
    """
    at = text.lower().find(words)
    if at < 0:
        return False
    rest = text[at + len(words) : at + _DRAWN_WITHIN]
    return _BLOCK_BEHIND_A_COLON.match(rest) is not None or _DRAWN_LINES.search(rest) is not None


def _shows_what_is_defined(text: str, sentence: str) -> bool:
    """`The image below shows star graphs with 3 neighbours`, where the text says what such a graph is."""
    found = _SHOWS.search(sentence)
    if found is None:
        return False
    head = re.escape(found[1].split()[-1])
    defines = re.compile(
        rf"\b(?:an?|the|each) (?:[\w-]+ ){{0,2}}{head}s?\b[^.]{{0,40}}?\b(?:is|are|has|consists?|means)\b"
    )
    return defines.search(text.replace(sentence, " ")) is not None


def _in_passing(text: str, reference: re.Match[str], sentence: str) -> bool:
    """Whether the sentence is about a sample, or mentions the figure only in brackets and is long without them."""
    if _OF_A_SAMPLE.search(sentence) or _ILLUSTRATES.search(sentence.replace("*", "")):
        return True
    if _of_an_example(text, reference.start(), behind_a_figure=reference[0].endswith("above")):
        return True
    for bracket in _BRACKET.finditer(text, max(0, reference.start() - 60), min(len(text), reference.end() + 60)):
        if bracket.start() < reference.start() and reference.end() < bracket.end():
            return _words(sentence) - _words(bracket[0]) > LONG_SENTENCE
    return False
