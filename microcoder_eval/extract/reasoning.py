"""Finds the answer in a reply: outside the model's reasoning, and inside an answer wrapper when there is one.

It looks at tags, never at code. A tag in quotes or backticks is ignored, and so is a tag inside a fenced block of the
answer.
"""

from __future__ import annotations

import re

_NAMES = r"(?:seed:)?(?:think|thinking|thoughts?|reasoning|scratchpad)"
_REASONING = re.compile(
    rf"(?P<open><{_NAMES}>|\[THINK\]|◁think▷|<\|begin_of_thought\|>|<\|START_THINKING\|>"
    r"|<\|channel\|>(?:analysis|commentary)<\|message\|>)"
    rf"|(?P<close></{_NAMES}>|\[/THINK\]|◁/think▷|<\|end_of_thought\|>|<\|END_THINKING\|>"
    r"|<\|channel\|>final<\|message\|>)",
    re.IGNORECASE,
)
_WRAPPER = re.compile(
    r"^[ \t]*(?:<(?:answer|solution|final_answer|response|code|python)>|<\|begin_of_solution\|>|\[(?:PYTHON|BEGIN)\])",
    re.IGNORECASE | re.MULTILINE,
)
_CLOSING = {"<|begin_of_solution|>": "<|end_of_solution|>", "[begin]": "[DONE]"}
_FENCE_LINE = re.compile(r"^[ \t]*(?:```|~~~)", re.MULTILINE)
_MOST_END_TOKENS = 100
_QUOTES = ("'", '"', "`")
_END_TOKEN = re.compile(r"<[|｜][^<>|｜\s]{1,40}[|｜]>|</s>|<eos>|<end_of_turn>|\[DONE\]")


def without_reasoning(reply: str) -> tuple[str, bool]:
    """The reply without its reasoning, and whether the reasoning had ended when the reply did.

    >>> without_reasoning("<think>a loop?</think>print(1)")
    ('print(1)', True)
    >>> without_reasoning("<think>a loop, or")
    ('', False)
    """
    tags = [tag for tag in _REASONING.finditer(reply) if not _quoted(reply, tag)]
    answer: list[str] = []
    thinking = bool(tags) and tags[0].lastgroup == "close"  # the chat template opened the reasoning, in the prompt
    start = checked = 0
    fenced = False
    for tag in tags:
        if thinking:
            if tag.lastgroup == "close":
                thinking, fenced, start = False, False, tag.end()
                checked = start
            continue
        fences = sum(1 for _ in _FENCE_LINE.finditer(reply, checked, tag.start()))
        fenced, checked = fenced ^ bool(fences % 2), tag.start()
        if fenced:
            continue
        if tag.lastgroup == "close":
            answer, start = [], tag.end()
        elif _begins_line(reply, tag.start()):
            answer.append(reply[start : tag.start()])
            thinking, start = True, tag.end()
    if not thinking:
        answer.append(reply[start:])
    elif (wrapper := _last_wrapper(reply, start)) is not None:
        answer, thinking = [reply[wrapper.start() :]], False
    return "\n".join(filter(str.strip, answer)), not thinking


def wrapped_answer(text: str) -> str | None:
    """The content of the last answer wrapper, up to its end or the end of the text; None without a wrapper.

    >>> wrapped_answer("So:\\n<answer>\\nprint(1)\\n</answer>")
    '\\nprint(1)\\n'
    """
    opening = _last_wrapper(text, 0)
    if opening is None:
        return None
    tag = opening.group().strip()
    closing = _CLOSING.get(tag.lower(), f"{tag[0]}/{tag[1:]}")
    ends = list(re.finditer(re.escape(closing), text[opening.end() :], re.IGNORECASE))
    return text[opening.end() :][: ends[-1].start() if ends else None]


def without_end_tokens(text: str) -> str:
    """The text without the end-of-sequence tokens that some servers leave at its end."""
    end = len(text)
    for _ in range(_MOST_END_TOKENS):
        while end > 0 and text[end - 1].isspace():
            end -= 1
        start = max(text.rfind("<", max(0, end - 48), end), text.rfind("[", max(0, end - 48), end))
        if start < 0 or not _END_TOKEN.fullmatch(text, start, end):
            break
        end = start
    return text[:end].rstrip()


def _last_wrapper(text: str, start: int) -> re.Match[str] | None:
    last, checked, fenced = None, start, False
    for opening in _WRAPPER.finditer(text, start):
        fences = sum(1 for _ in _FENCE_LINE.finditer(text, checked, opening.start()))
        fenced, checked = fenced ^ bool(fences % 2), opening.start()
        if not fenced:
            last = opening
    return last


def _quoted(text: str, tag: re.Match[str]) -> bool:
    before, after = text[max(0, tag.start() - 3) : tag.start()], text[tag.end() : tag.end() + 3]
    return (before[-1:] in _QUOTES and before != "```") or (after[:1] in _QUOTES and after != "```")


def _begins_line(text: str, position: int) -> bool:
    """Whether only white space, a fence or a speaker's name is before the position on its line."""
    before = text[max(0, position - 100) : position]  # bounded, so that the time stays linear on a very long line
    line = before[before.rfind("\n") + 1 :].strip(" \t`~")
    return not line or (position < 100 and line.endswith(":"))
