"""StepCoder's mask of lines that were not executed, and RLTF's fine feedback, on the advantages of a reply's tokens."""

from __future__ import annotations

from collections.abc import Sequence

from microcoder_rl.lines.statements import error_lines, unexecuted_lines
from microcoder_rl.lines.token_map import Decode, lines_of_tokens
from microcoder_rl.recipe.objective import AdvantageConfig
from microcoder_rl.rollout import Rollout


def assign_line_credit(rollouts: Sequence[Rollout], rule: AdvantageConfig, decode: Decode) -> None:
    """Change `token_advantages` of the judged and unmasked replies, as the recipe asks. In a conversation only the
    program of the last turn is considered."""
    for rollout in rollouts:
        grade = rollout.grade
        if rollout.reward is None or rollout.mask or grade is None or grade.code is None:
            continue
        masked = set[int]()
        if rule.credit == "executed" and rollout.executed:
            masked = unexecuted_lines(grade.code, set(rollout.executed))
        broken = error_lines(grade) if rule.fine else None
        if not masked and not broken:
            continue
        lines = lines_of_tokens(decode, rollout.last_reply, grade.code)
        if lines is None:
            continue
        advantages = list(rollout.token_advantages or [rollout.advantage] * rollout.length)
        begin = rollout.length - len(lines)
        for place, token_lines in enumerate(lines, begin):
            if token_lines and token_lines <= masked:
                advantages[place] = 0.0
            if broken == "whole" or (broken and not token_lines.isdisjoint(broken)):
                advantages[place] -= rule.fine
        rollout.token_advantages = advantages
