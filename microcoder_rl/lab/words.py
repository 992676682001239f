"""The lab's language: a question, the replies that solve it, and a tokenizer with one token for each phrase.

A question goes through up to eight letters. Each sets a value from 0 to 4, or keeps the value as it was ("-"). The
program has to read a number, add the last value, and print "ok" and the sum modulo 5. A reply may first write a line of
working for each letter, with the value so far, and then the program. Or it may begin with the program: then the model
has to know the value without having written it out.

    dec a2 b- c4 d- =
    so a is 2 / so b is 2 / so c is 4 / so d is 4 / ```python / x=int(input()) / x+=4 / print("ok",x%5) / ```

`world.py` draws questions and replies; nothing here is random.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

LETTERS = "abcdefgh"
VALUES = "01234"
KEEP = "-"
KINDS = ("dec", "hex")
"""How the input is written. Programs of the rare manner read both; all others fail on hexadecimal input."""
PAD, END = "<pad>", "<end>"

WORKING = ("so {} is {}\n", "then {}: {}\n", "with {} we get {}\n")
"""Three phrases for one line of working."""
HEADS = (
    "```python\nx=int(input())\n",
    "```python\nn=input()\nx=int(n)\n",
    "```python\nx=int(input(),0)\n",
)
RARE_HEAD = 2
"""The only head that reads hexadecimal input; it reads decimal input as well."""
BODIES = ("x+={}\n", "x=x+{}\n")
TAILS = (
    'print("ok",x%5)\n```\n',
    'print(f"ok {x%5}")\n```\n',
    'print("ok",x%5,sep="\\n")\n```\n',
    'print(x%5,"ok")\n```\n',
)
"""The third is right, but LiveCodeBench's rules refuse it. The last is wrong, but the paper's ladder accepts it."""
FILLER, REMARK = "hmm\n", "that is all\n"
STEP, ASK = "{}{} ", "= "


@dataclass(frozen=True)
class Question:
    """What one task asks."""

    kind: str
    steps: tuple[str, ...]
    """What each letter does: a value, or KEEP. The first is a value."""

    @property
    def values(self) -> list[str]:
        """The value after each letter.

        >>> Question("dec", ("2", "-", "4", "-")).values
        ['2', '2', '4', '4']
        """
        values: list[str] = []
        for step in self.steps:
            values.append(values[-1] if step == KEEP else step)
        return values

    @property
    def words(self) -> list[str]:
        """The prompt, token by token.

        >>> Question("dec", ("2", "-")).words
        ['dec ', 'a2 ', 'b- ', '= ']
        """
        return [f"{self.kind} ", *map(STEP.format, LETTERS, self.steps), ASK]

    def tests(self) -> list[dict[str, str]]:
        """The tests of its problem: equal for all questions of one kind and one value."""
        given = [7, 12, 30]
        shown = [hex(number) if self.kind == "hex" else str(number) for number in given]
        return [
            {"input": f"{text}\n", "output": f"ok {(number + int(self.values[-1])) % len(VALUES)}\n"}
            for text, number in zip(shown, given, strict=True)
        ]


class Language:
    """The tokens and their ids. It is the same in every world."""

    @cached_property
    def features(self) -> dict[str, tuple[str, ...]]:
        """All tokens in the order of their ids, each with its parts: the phrase, and the letter and value in it."""
        made: dict[str, tuple[str, ...]] = {word: (word,) for word in (PAD, END, *(f"{kind} " for kind in KINDS))}
        for letter in LETTERS:
            made |= {STEP.format(letter, step): (STEP, letter, step) for step in VALUES + KEEP}
            made |= {phrase.format(letter, value): (phrase, letter, value) for phrase in WORKING for value in VALUES}
        made |= {body.format(value): (body, value) for body in BODIES for value in VALUES}
        return made | {word: (word,) for word in (ASK, *HEADS, *TAILS, FILLER, REMARK)}

    @cached_property
    def words(self) -> list[str]:
        return list(self.features)

    @cached_property
    def _ids(self) -> dict[str, int]:
        return {word: place for place, word in enumerate(self.words)}

    def encode(self, words: Sequence[str]) -> list[int]:
        """The ids of tokens."""
        return [self._ids[word] for word in words]

    def tokenizer(self) -> Any:
        """The tokenizer that is saved with the model. It decodes replies; prompts are encoded by `encode`."""
        from tokenizers import Tokenizer, decoders, models
        from transformers import PreTrainedTokenizerFast

        plain = Tokenizer(models.WordLevel(self._ids, unk_token=PAD))
        plain.decoder = decoders.Fuse()
        return PreTrainedTokenizerFast(tokenizer_object=plain, eos_token=END, pad_token=PAD)


LANGUAGE = Language()
