"""The problems of requests: those that the service has loaded, by id, and those that clients have sent lately, by key.

Equal records give the same `Problem` object, so that the grader packs it once and knows its costs. A problem's key is
the SHA-256 of its JSON: whoever knows it has the problem.
"""

from __future__ import annotations

import hashlib
import json
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from microcoder_eval.errors import InputError
from microcoder_eval.problem import Problem
from microcoder_eval.reading.input_files import ProblemFile
from microcoder_eval.record_schema import shown
from microcoder_eval.scheduling.known_problem import held_bytes, plain_bytes
from microcoder_eval.service.refusal import Kind, Refusal

KEPT_BYTES = 1 << 30
KEPT = 4096
"""How many problems that clients have sent are kept, in about KEPT_BYTES of memory at most."""


class ProblemStore:
    """Loaded problems by id, and sent problems by content, in bounded memory."""

    def __init__(self, file: Path | None = None) -> None:
        self._loaded = ProblemFile(file) if file else None
        self._sent: OrderedDict[bytes, tuple[Problem, int]] = OrderedDict()
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._loaded or ())

    def __iter__(self) -> Iterator[str]:
        return iter(self._loaded or ())

    @property
    def bad(self) -> list[str]:
        """The records of the file that cannot be used, each with the reason."""
        return [str(record) for record in self._loaded.bad] if self._loaded else []

    def __contains__(self, name: object) -> bool:
        return self._loaded is not None and isinstance(name, str) and name in self._loaded

    def loaded(self, name: Any) -> Problem:
        """The loaded problem with this id; raises `InputError` when there is none."""
        self.check_loaded(name)
        assert self._loaded is not None
        return self._loaded[name]

    def check_loaded(self, name: Any) -> None:
        """Raise `InputError` unless a problem with this id was loaded."""
        if self._loaded is None:
            raise InputError(f"problem_id {shown(name)}: this service has loaded no problems (--problems FILE)")
        if name not in self:
            raise InputError(f"problem_id {shown(name)}: no such problem")

    def same(self, problem: Problem) -> Problem:
        """An equal problem that is kept, or else this one, which is kept from now on.

        It has no key: its values may be others than those of its JSON, such as tuples.
        """
        content = plain_bytes({**problem.to_dict(), "statement": ""})
        return self._kept(content, lambda: problem)

    def sent(self, record: Any) -> Problem:
        """The problem of a record that a client has sent; raises `InputError` when it cannot be used."""
        if not isinstance(record, Mapping):
            return Problem.from_dict(record)
        text = json.dumps(record)  # in its order: that of a dict among a test's arguments matters
        return self._kept(text.encode(), lambda: Problem.from_dict(record))

    def _kept(self, content: bytes, make: Callable[[], Problem]) -> Problem:
        digest = hashlib.sha256(content).digest()
        problem = self.known(digest)
        if problem is None:
            problem = make()
            self.keep(digest, problem, held_bytes(problem, len(content)))
        return problem

    def with_key(self, key: str) -> Problem:
        """The problem with this key that a client has sent; raises a `Refusal` when it is not kept (any more)."""
        with suppress(ValueError):
            if (problem := self.known(bytes.fromhex(key))) is not None:
                return problem
        raise Refusal(Kind.UNKNOWN_PROBLEM, "no problem with this key is kept here: send it to /v1/problems")

    def digest(self, problem: Problem) -> bytes | None:
        """The key of a problem that is kept, as bytes."""
        return next((digest for digest, (kept, _) in reversed(self._sent.items()) if kept is problem), None)

    def forget(self, problem: Problem) -> None:
        """Keep a problem no longer."""
        digest = self.digest(problem)
        if digest is not None:
            self._bytes -= self._sent.pop(digest)[1]

    def known(self, digest: bytes) -> Problem | None:
        """The problem that is kept under this digest."""
        known = self._sent.get(digest)
        if known is None:
            return None
        self._sent.move_to_end(digest)
        return known[0]

    def keep(self, digest: bytes, problem: Problem, size: int) -> None:
        """Keep a problem that takes about so many bytes; those used longest ago make room for it."""
        self._bytes += size - self._sent.pop(digest, (problem, 0))[1]
        self._sent[digest] = problem, size
        while (self._bytes > KEPT_BYTES or len(self._sent) > KEPT) and len(self._sent) > 1:
            self._bytes -= self._sent.popitem(last=False)[1][1]
