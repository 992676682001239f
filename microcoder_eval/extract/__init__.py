"""Finds the program in a model's reply.

    extract("Here you are:\\n```python\\nprint(1)\\n```").code      ->  'print(1)'

The steps, in order: remove reasoning (`reasoning.py`), find fenced blocks (`fences.py`) or code without fences
(`raw.py`), choose a block (`choice.py`), add the starter code that the reply leaves out (`starter.py`). The time is
linear in the length of the reply. Nothing is run, and code is returned as it was written: a main guard, tests and
prints stay.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from microcoder_eval.errors import InputError
from microcoder_eval.extract.choice import MOST_BLOCKS, choose_last, code_blocks, join_sources
from microcoder_eval.extract.fences import Block, Fenced, fenced_blocks
from microcoder_eval.extract.raw import raw_blocks
from microcoder_eval.extract.reader import PythonReader, Reader, reader_of
from microcoder_eval.extract.reasoning import without_end_tokens, without_reasoning, wrapped_answer
from microcoder_eval.extract.starter import complete_with_starter
from microcoder_eval.extract.tags import GRADED, language_of

__all__ = ["Extraction", "extract"]

_PICKS = ("last", "longest", "joined")


@dataclass(frozen=True)
class Extraction:
    """The program in a reply, or why there is none."""

    code: str | None
    language: str | None
    """The program's language ("python", "cpp", ...); None when there is no program or it is not known."""
    complete: bool
    """False when the reply was cut off: inside its code, inside its reasoning, or in a sentence before any code. With
    `truncated`, True only if the reply ends with its program, in a closed block."""
    note: str
    """Where the code was found, or why there is none."""


def extract(
    reply: str,
    *,
    language: str = "python",
    starter_code: str = "",
    entry_point: str | None = None,
    is_script: bool = False,
    pick: str = "last",
    fences_only: bool = False,
    truncated: bool = False,
) -> Extraction:
    """The program in `reply`, written in `language`.

    `is_script`: the program is run rather than imported. `pick` chooses among several blocks: "last" (see `choice.py`),
    "longest", or "joined", which joins all of them. `fences_only`: ignore code outside fences. `truncated`: a length
    limit ended the reply.

    >>> extract("<think>hm</think>Use a sum:\\n```python\\nprint(sum(map(int, input().split())))\\n```").code
    'print(sum(map(int, input().split())))'
    >>> extract("```python\\nfor i in range(").complete
    False
    >>> extract("```python\\nprint(1)").complete, extract("```python\\nprint(1)", truncated=True).complete
    (True, False)
    """
    if pick not in _PICKS:
        raise InputError(f"pick must be one of {', '.join(_PICKS)}, not {pick!r}")
    wanted = language_of(language) or language.lower()
    reader = reader_of(wanted)
    starter = _normalize_newlines(starter_code)
    answer, concluded = without_reasoning(_normalize_newlines(reply))
    answer = without_end_tokens(answer)
    for section in (wrapped_answer(answer), answer):
        if (
            section is not None
            and (found := _program(section, reader, starter, entry_point, is_script, pick, fences_only, truncated))
            is not None
        ):
            return replace(found, complete=found.complete and (concluded or not truncated))
    if not concluded:
        return Extraction(None, None, False, "the reasoning never ended")
    if not answer.strip():
        return Extraction(None, None, False, "the reply has no answer")
    where = "no block in fences holds a" if fences_only else "the reply holds no"
    note = f"{where} {wanted} program{_in_another_language(answer, wanted)}"
    return Extraction(None, None, not truncated and answer.endswith(_SENTENCE_ENDS), note)


def _in_another_language(answer: str, wanted: str) -> str:
    """What to do when the answer has a program in another language; empty when nothing says that it has one.

    >>> _in_another_language("#include <cstdio>\\nint main() {}", "python")
    '; for cpp, the submission needs "language": "cpp"'
    """
    named = [language_of(info) for info in _FENCE_INFOS.findall(answer)]
    found = next((name for name in named if name in GRADED and name != wanted), None)
    if found is None and wanted not in ("c", "cpp") and _INCLUDE.search(answer):
        found = "cpp"
    return f'; for {found}, the submission needs "language": "{found}"' if found else ""


_FENCE_INFOS = re.compile(r"^ {0,3}(?:`{3,}|~{3,})[ \t]*([^\s`]{1,60})", re.MULTILINE)
_INCLUDE = re.compile(r"^[ \t]{0,20}#[ \t]{0,20}include[ \t]{0,20}[<\"]", re.MULTILINE)

_SENTENCE_ENDS = (".", "!", "?", ":)", "。", "！", "？", "```", "~~~", ")", '"', "”", "*", ">")


def _program(
    text: str,
    reader: Reader,
    starter: str,
    entry_point: str | None,
    is_script: bool,
    pick: str,
    fences_only: bool,
    truncated: bool,
) -> Extraction | None:
    fenced = fenced_blocks(text, reader.language, reader.is_program)
    ended = [_with_end_of_code(block, reader) for block in fenced.blocks]
    blocks, kind = code_blocks(ended, reader, MOST_BLOCKS if pick == "last" else None), "fenced"
    if not blocks and not fences_only:
        blocks, kind = _unfenced(fenced.outside, reader, starter, entry_point), "raw"
    if not blocks:
        cut = bool(fenced.blocks) and not fenced.blocks[-1].closed and fenced.blocks[-1].language == reader.language
        return Extraction(None, None, False, "the reply is cut off before its code") if cut else None
    winner = blocks[-1]
    if pick == "joined":
        closed = all(block.closed for block in blocks)
        block = Block(join_sources([_without_blank_edges(block.code) for block in blocks]), reader.language, closed)
        how = f"{len(blocks)} blocks joined" if closed else "cut off inside its code"
    elif pick == "longest":
        winner = block = max([block for block in blocks if block.closed] or blocks, key=lambda block: len(block.code))
        how = "longest block" if block.closed else "cut off inside its code"
    else:
        trimmed = [replace(block, code=_without_blank_edges(block.code)) for block in blocks]
        block, chosen, how = choose_last(trimmed, reader, entry_point, is_script)
        winner = blocks[trimmed.index(chosen)]
    code, note = _without_blank_edges(block.code), f"{how}, {kind}"
    complete = _ends_reply(winner, fenced) if truncated else block.closed
    if isinstance(reader, PythonReader) and block.closed:
        code, added = complete_with_starter(code, starter, entry_point, reader)
        note += ", starter code completed" if added else ""
    recognised = block.language == reader.language or reader.is_program(code)
    return Extraction(code, reader.language if recognised else None, complete, note)


def _ends_reply(winner: Block, fenced: Fenced) -> bool:
    """Whether the program's block ends the reply: it is the last one, closed by its own fence, with no words after it.

    Nothing weaker is certain for a reply that a limit ended: an open block may have gone on, and after words or an
    example a better program may have followed.
    """
    if not fenced.blocks or winner is not fenced.blocks[-1] or any(map(str.isalnum, fenced.after)):
        return False
    # with a doubtful block the last one may be inside a string of an open one
    return winner.closed and not any(block.doubtful for block in fenced.blocks)


def _with_end_of_code(block: Block, reader: Reader) -> Block:
    """A block whose fence is never closed ends where its code ends. It counts as closed when such an end is found."""
    if block.closed or block.language not in (reader.language, None, "text"):
        return block
    if not reader.is_cut(block.code) and reader.is_program(block.code):
        return replace(block, closed=True)
    regions = raw_blocks(block.code, reader)
    if len(regions) == 1 and regions[0].closed and reader.is_program(regions[0].code):
        return replace(block, code=regions[0].code, closed=True)
    return block


def _unfenced(text: str, reader: Reader, starter: str, entry_point: str | None) -> list[Block]:
    if starter and isinstance(reader, PythonReader) and not reader.defines(text, entry_point):
        whole, added = complete_with_starter(text.strip("\n"), starter, entry_point, reader)
        if added:
            return [Block(whole, reader.language, True)]
    return raw_blocks(text, reader)


def _normalize_newlines(text: str) -> str:
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _without_blank_edges(code: str) -> str:
    """The code without blank lines around it and without a byte order mark."""
    code = code.removeprefix("\ufeff").rstrip()
    blank = len(code) - len(code.lstrip())
    return code[code.rfind("\n", 0, blank) + 1 :].removeprefix("\ufeff")
