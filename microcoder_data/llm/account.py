"""Count the calls and tokens of a build by step, and refuse a call that would exceed the budget."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field

from microcoder_data.llm.question import NoAnswer
from microcoder_eval.plural import counted


@dataclass
class StepAccount:
    """The questions of one step."""

    questions: int = 0
    cached: int = 0
    calls: int = 0
    prompt_tokens: int = 0
    answer_tokens: int = 0
    unanswered: Counter[str] = field(default_factory=Counter)
    """Questions without an answer, by reason."""


class Account:
    """The counts of all steps, and the budget of the build."""

    def __init__(self, max_calls: int | None, max_tokens: int | None) -> None:
        self.steps: defaultdict[str, StepAccount] = defaultdict(StepAccount)
        self._max_calls, self._max_tokens = max_calls, max_tokens
        self._calls = self._tokens = 0
        self.to_retry = 0
        """Unanswered questions that a resumed build should ask again."""

    def reserve(self, tokens: int) -> None:
        """Reserve a call of at most `tokens`; raises `NoAnswer` if the budget does not allow it."""
        if self._max_calls is not None and self._calls >= self._max_calls:
            raise NoAnswer("the budget of calls is spent")
        if self._max_tokens is not None and self._tokens + tokens > self._max_tokens:
            raise NoAnswer("the budget of tokens is spent")
        self._calls += 1
        self._tokens += tokens

    def settle(self, step: str, reserved: int, prompt: int, answer: int) -> None:
        """Replace a reservation by the tokens that the call used."""
        self._tokens += prompt + answer - reserved
        account = self.steps[step]
        account.calls += 1
        account.prompt_tokens += prompt
        account.answer_tokens += answer

    def unanswered(self, step: str, why: NoAnswer) -> None:
        """Count a question without an answer."""
        self.steps[step].unanswered[str(why)] += 1
        self.to_retry += not why.final

    def lines(self) -> list[str]:
        """The account to print, a line for each step."""
        lines = []
        for name, step in sorted(self.steps.items()):
            questions, calls = counted(step.questions, "question"), counted(step.calls, "call")
            line = f"{name}: {questions}, {step.cached} from the cache, {calls}, "
            lines.append(line + f"{step.prompt_tokens} + {step.answer_tokens} tokens")
            for reason, count in sorted(step.unanswered.items(), key=lambda pair: -pair[1]):
                lines.append(f"  {count} unanswered: {reason}")
        return lines
