"""Chooses the program among a reply's blocks, and joins blocks when a program is split over several.

The last finished block wins, with these exceptions, in this order:

1. a block that defines the entry point beats one that does not;
2. a block that only uses what an earlier block defines (an example call, a test) does not win over that block,
   unless it is what makes the program read its input, or itself defines something that is no test: then both
   together are the program;
3. a snippet that only imports or sets something (`input = sys.stdin.readline`) is advice beside a program, and so is
   `key = lambda p: p[1]` beside one that reads its input;
4. without an entry point, a block that only defines names does not win over an earlier one that needs one of them,
   unless that one is a test, or an earlier version that reads no input;
5. where the program runs as a script, such a block does not win over one that does more either;
6. a snippet that could not run alone, or does not parse, does not win over a whole program more than twice as long.

Other blocks that define what the winner needs (a helper class, say) are put before it, the last of two that define the
same. A block that was cut off wins only when no finished block does more than import.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import islice
from typing import NamedTuple

from microcoder_eval.extract.fences import Block
from microcoder_eval.extract.reader import PythonReader, Reader, dedented
from microcoder_eval.extract.syntax_summary import SyntaxSummary

_FUTURE = re.compile(r"^from[ \t]+__future__[ \t]+import[ \t]+(?:\([^)]*\)|[^\n;#(]*)(?:;[ \t]*)?", re.MULTILINE)

_NEAR = {"cpp": "c"}
"""The language whose tag models also write over programs in another one."""
MOST_BLOCKS = 64
"""How many of a reply's last blocks are considered."""


def join_sources(sources: list[str]) -> str:
    """Sources one after another. `from __future__` imports go first, where Python requires them.

    >>> join_sources(["import os", "from __future__ import annotations\\nx = 1"])
    'from __future__ import annotations\\n\\nimport os\\n\\nx = 1'
    """
    if len(sources) == 1:
        return sources[0]
    futures = [match.group().rstrip("; \t") for source in sources for match in _FUTURE.finditer(source)]
    bodies = [_FUTURE.sub("", source).strip("\n") for source in sources] if futures else sources
    first = ["\n".join(dict.fromkeys(futures))] if futures else []
    return "\n\n".join([*first, *filter(str.strip, bodies)])


def code_blocks(blocks: list[Block], reader: Reader, most: int | None = None) -> list[Block]:
    """The blocks that are code in the reader's language, by their tag or, without a tag, by their content.

    `most`: return only the last so many. A model in a loop writes hundreds of blocks, and each has to be parsed.
    """
    tagged = _tagged(blocks, reader.language) or _tagged(blocks, _NEAR.get(reader.language))
    untagged = [block for block in blocks if block.language in (None, "text")]
    return (
        _last(tagged, lambda block: _is_code(block, reader), most)
        or _last(untagged, lambda block: reader.is_program(block.code) or reader.looks_like_code(block.code), most)
        or tagged
    )


def _tagged(blocks: list[Block], language: str | None) -> list[Block]:
    return [block for block in blocks if language is not None and block.language == language and block.code.strip()]


def _last(blocks: list[Block], wanted: Callable[[Block], bool], most: int | None) -> list[Block]:
    return list(islice(filter(wanted, reversed(blocks)), most))[::-1]


class Choice(NamedTuple):
    """The program that a reply's blocks make."""

    program: Block
    winner: Block
    """The block that was chosen; `program` may hold earlier ones too, which it needs."""
    why: str


def choose_last(blocks: list[Block], reader: Reader, entry_point: str | None, is_script: bool = False) -> Choice:
    """The block that wins by this file's rules, with those that it needs."""
    blocks = blocks[-MOST_BLOCKS:]
    entering = [block for block in blocks if reader.defines(block.code, entry_point)]
    rivals = entering or blocks
    finished = [block for block in rivals if block.closed]
    if not finished or (not rivals[-1].closed and not any(_does_something(block, reader) for block in finished)):
        return Choice(rivals[-1], rivals[-1], "cut off inside its code")
    if not isinstance(reader, PythonReader):
        return Choice(finished[-1], finished[-1], _position(finished[-1], blocks))
    own = finished if entering else _without_advice(finished, blocks, reader)
    winner = own[-1]
    if not entering and _only_defines(winner, reader):
        before = [block for block in own[:-1] if _runs(block, reader) or not is_script]
        other = _last_needing(winner, before, blocks, reader)
        if other is None and is_script:
            other = _last_reading(before, reader)
        winner = other or winner
    support = _support(winner, blocks, reader)
    if not support and not _runs_alone(winner, reader):
        whole = [block for block in own if _runs_alone(block, reader) and len(block.code) > 2 * len(winner.code)]
        winner = whole[-1] if whole else winner
    if support:
        code = join_sources([block.code for block in (*support, winner)])
        return Choice(Block(code, winner.language, True), winner, "blocks joined: one needs the others")
    return Choice(winner, winner, _position(winner, blocks))


def _position(winner: Block, blocks: list[Block]) -> str:
    return "last block" if winner is blocks[-1] else f"block {blocks.index(winner) + 1} of {len(blocks)}"


def _is_code(block: Block, reader: Reader) -> bool:
    if not isinstance(reader, PythonReader):
        return True
    summary = reader.summary(dedented(block.code))
    return reader.looks_like_code(block.code) if summary is None else summary.works


def _does_something(block: Block, reader: Reader) -> bool:
    summary = reader.summary(block.code) if isinstance(reader, PythonReader) else None
    return summary is None or summary.runs or bool(summary.names)


def _runs_alone(block: Block, reader: PythonReader) -> bool:
    summary = reader.summary(block.code)
    return summary is not None and not summary.missing


def _earlier(block: Block, blocks: list[Block], reader: PythonReader) -> list[Block]:
    """The blocks before `block` that define names which it lacks; the later one, if two define the same name."""
    return _defining(block, blocks[: blocks.index(block)][::-1], reader)[::-1]


def _defining(block: Block, others: list[Block], reader: PythonReader) -> list[Block]:
    """Those of the others that define names which the block, or one of them, lacks; the first of two with one name."""
    first = {name: other for other in reversed(others) for known in _summaries([other], reader) for name in known.bound}
    bound: set[str] = set()
    waiting = [block]
    for needing in waiting:
        for summary in _summaries([needing], reader):
            lacking = {first[name] for name in summary.missing - bound if name in first}
            bound |= summary.bound
            waiting += [other for other in others if other in lacking and other not in waiting]
    return [other for other in others if other in waiting]


def _only_defines(block: Block, reader: PythonReader) -> bool:
    summary = reader.summary(block.code)
    return summary is not None and not summary.runs


def _last_reading(running: list[Block], reader: PythonReader) -> Block | None:
    """The last of the blocks that reads input; the last of all where none does."""
    reading = [block for block in running if _summaries([block], reader)[0].reads_input]
    return next(reversed(reading or running), None)


def _last_needing(helper: Block, before: list[Block], blocks: list[Block], reader: PythonReader) -> Block | None:
    """The last part of the program that needs `helper`, a later block; None behind a whole program that does not.

    A function that asserts is a test. A block that defines again what an earlier one does is a new version of that.
    """
    (defined,) = _summaries([helper], reader)
    for block in reversed(before):
        support = _support(block, blocks, reader)
        reads_input = any(known.reads_input for known in _summaries([block, *support], reader))
        for summary in _summaries([block], reader):
            parts = _parts(summary) - summary.asserting
            if helper in support:
                if reads_input or (parts and not parts & defined.names):
                    return block
            elif summary.runs and (parts or reads_input):
                return None
    return None


def _parts(summary: SyntaxSummary) -> set[str]:
    """What a block defines that is no test."""
    return {name for name in summary.names if not name.lower().startswith("test")}


def _without_advice(finished: list[Block], blocks: list[Block], reader: PythonReader) -> list[Block]:
    """The blocks without those that only use others, or only prepare: so do lambdas, beside a program that reads."""
    own = [block for block in finished if not _only_uses(block, blocks, reader)] or finished
    programs = [block for block in own if not _prepares(block, reader) or _earlier(block, blocks, reader)]
    if any(known.reads_input for known in _summaries(programs, reader)):
        return programs
    return [block for block in own if block in programs or _summaries([block], reader)[0].names] or own


def _prepares(block: Block, reader: PythonReader) -> bool:
    summary = reader.summary(block.code)
    return summary is not None and summary.prepares


def _summaries(blocks: list[Block], reader: PythonReader) -> list[SyntaxSummary]:
    return [known for known in map(reader.summary, (block.code for block in blocks)) if known is not None]


def _only_uses(block: Block, blocks: list[Block], reader: PythonReader) -> bool:
    """Whether the block only shows or tests what earlier blocks define."""
    earlier = _earlier(block, blocks, reader)
    summary = reader.summary(block.code)
    if not earlier or summary is None:
        return False
    read = _summaries(earlier, reader)
    if any(known.runs for known in read):
        return True
    if _parts(summary) and not summary.runs:  # the next part of a program, not a call of the one before
        return False
    return not (summary.reads_input or (summary.runs and any(known.reads_input for known in read)))


def _support(winner: Block, blocks: list[Block], reader: PythonReader) -> list[Block]:
    """The other blocks that the winner needs, of those that only define names."""
    others = [block for block in reversed(blocks) if block != winner and not _runs(block, reader)]
    return _defining(winner, others, reader)[::-1]


def _runs(block: Block, reader: PythonReader) -> bool:
    summary = reader.summary(block.code)
    return summary is not None and summary.runs
