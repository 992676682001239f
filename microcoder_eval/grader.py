"""The public way to grade: `Grader`, and `grade` for a single reply.

    with Grader(workers=8) as grader:
        for grade in grader.grade_many((problem, submission) for problem, submission in work):
            print(grade.submission_id, grade.verdict)

Programs run in other processes, in a sandbox; this process only schedules. It is safe to use from scripts without a
main guard, notebooks, threads, and workers of Ray, torch or pytest.

Longer than most files: it is one public class, and a tenth of it documents its arguments.
"""

from __future__ import annotations

import hashlib
import itertools
import logging
import os
import sys
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from microcoder_eval.boundary.layers import LAYERS
from microcoder_eval.errors import GraderError, InputError
from microcoder_eval.gradable import has_cpp_judges, read_program, refuse_unsupported, refuse_wrong_types, toolchain_of
from microcoder_eval.languages.cache import default_directory
from microcoder_eval.outputs import Output, read_output, refuse_without_outputs
from microcoder_eval.plural import counted
from microcoder_eval.problem import Policy, Problem, Submission
from microcoder_eval.program_run import DEFAULT_KEPT_BYTES, ProgramRun, plain_run, problem_of_run, read_run
from microcoder_eval.protocol.messages import RunOptions, Streams
from microcoder_eval.ready_first import ready_first
from microcoder_eval.scheduling import grader_arguments as check
from microcoder_eval.scheduling.delivery import deliver
from microcoder_eval.scheduling.job import Job, ProgramGrade, timeouts_are_sure, without_run
from microcoder_eval.scheduling.known_problem import KnownProblem, KnownProblems
from microcoder_eval.scheduling.pool import Pool, PoolState
from microcoder_eval.scheduling.repeats import Repeats
from microcoder_eval.scheduling.step_budget import graded_within
from microcoder_eval.scheduling.test_order import ORDERS, TestOrder
from microcoder_eval.usable_cpus import usable_cpus
from microcoder_eval.verdict import Grade, Verdict

if TYPE_CHECKING:
    from microcoder_eval.scheduling.verdict_cache import VerdictCache

logger = logging.getLogger(__name__)

OPEN_PER_WORKER = 16
"""How many submissions of a stream are open at a time, for each worker."""


class Grader:
    """Grades programs and model replies in parallel.

    >>> with Grader(workers=2) as grader:                                        # doctest: +SKIP
    ...     grader.grade(problem, "```python\\nprint(input())\\n```").verdict
    Verdict.ACCEPTED
    """

    def __init__(
        self,
        workers: int | None = None,
        *,
        policy: Policy | str = Policy.CONTEST,
        isolation: str = "test",
        all_tests: bool = False,
        require_sandbox: Sequence[str] = (),
        layers: Sequence[str] = tuple(LAYERS),
        cache: str | os.PathLike[str] | None = None,
        cache_mb: float = 512,
        programs: str | os.PathLike[str] | None = None,
        require_fence: bool = False,
        tests_order: str = "learnt",
    ) -> None:
        """
        workers: supervisor processes; by default one for each CPU that this process, or its container, may use.
        policy: which rungs of the comparison ladder may accept ("strict", "contest", "lenient").
        isolation: "test" gives every test a fresh process; "submission" runs a program's tests in one process, and
            the tests that fail there again in a fresh one: several times faster on small tests.
        all_tests: run all tests instead of stopping at the first failure.
        require_sandbox: layers without which to refuse to run (`microcoder doctor` lists them).
        layers: the layers to use, where the machine has them.
        cache: a file in which verdicts are kept and looked up (see `verdict_cache`); none by default.
        cache_mb: its size limit; when it is full, the verdicts used longest ago are removed.
        programs: the directory where compiled programs are kept; by default below the user's cache directory.
        tests_order: "given": a program's tests run as the problem lists them. "learnt": those that failed most of the
            programs graded before come first and long ones last, so that wrong programs end soon. "kept": what earlier
            runs learnt counts too; it is in the cache. Which programs are accepted is the same; which failure is
            reported may differ.
        require_fence: take programs from the fenced blocks of replies only; a reply without one is NO_CODE.
        """
        if sys.platform != "linux":
            raise GraderError("the grader's sandbox needs Linux; on other systems programs would run unprotected")
        policy = policy.value if isinstance(policy, Policy) else policy
        self._policy = check.one_of("policy", policy, [p.value for p in Policy])
        self._isolation = check.one_of("isolation", isolation, check.ISOLATIONS)
        self._all_tests = check.flag("all_tests", all_tests)
        self._require_fence = check.flag("require_fence", require_fence)
        require_sandbox = check.layers_of("require_sandbox", require_sandbox)
        self._layers = layers = check.layers_of("layers", layers)
        self._workers = usable_cpus() if workers is None else check.count("workers", workers)
        check.positive("cache_mb", cache_mb)
        check.path("cache", cache)
        check.path("programs", programs)
        self._tests_order = check.one_of("tests_order", tests_order, ORDERS)
        if tests_order == "kept" and cache is None:
            raise InputError('tests_order "kept" needs a cache: the order is kept there')
        self._cache = None
        if cache is not None:
            from microcoder_eval.scheduling.verdict_cache import VerdictCache  # imports SQLite

            self._cache = VerdictCache(cache, cache_mb)
        self._pool = Pool(self._workers, layers, require_sandbox, os.path.abspath(programs or default_directory()))
        logger.info(
            "grading with %s, policy %s, isolation %s, %s; verdicts of earlier runs: %s",
            *(counted(self._workers, "worker"), self._policy, self._isolation),
            "all tests" if all_tests else "up to a program's first failure",
            cache or "not used",
        )
        self._owner = os.getpid()
        self._lock = threading.Lock()
        self._numbers = itertools.count()
        self._problems = KnownProblems(self._order_of)
        self._repeats = Repeats()
        self._wanted: dict[Future[Any], _Wanted] = {}  # by the job's future, and each future that may be withdrawn
        self.close = weakref.finalize(self, _close, self._pool, self._cache)
        """End all processes. Called by `with`, and at the latest when the interpreter ends."""

    def __enter__(self) -> Grader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def from_cache(self) -> int:
        """How many programs were not run because their verdict was in the cache on disk."""
        return self._cache.hits if self._cache else 0

    @property
    def state(self) -> PoolState:
        """How many workers there are, how many are ready and busy, and which layers the sandbox has."""
        return self._pool.state()

    def withdraw(self, future: Future[Any]) -> None:
        """Withdraw work that `submit` or `submit_run` started with `withdrawable`: no further test of it runs.

        The future then raises `GraderError`, unless it was ready. If another caller waits for an identical program,
        that is still graded, and this future gets the grade too. A test that is running is not interrupted.
        """
        with self._lock:
            wanted = self._wanted.pop(future, None)
            if wanted is None:
                return
            wanted.callers -= 1
            if wanted.callers:
                return
            self._repeats.forget(wanted.job.future)
        self._pool.withdraw(wanted.job)

    def submit(
        self,
        problem: Problem,
        submission: Submission | str,
        *,
        all_tests: bool | None = None,
        fresh: bool = False,
        withdrawable: bool = False,
        urgency: float = 0.0,
    ) -> Future[Grade]:
        """Start grading; the future gives the `Grade`. A plain string is a model's reply.

        all_tests: run all tests, or stop at the first failure; None: as the grader does by default.
        fresh: run the program even if an identical one was graded before; its grade is shared with no other.
        withdrawable: whether `withdraw` may be called for the future; costs a check between tests.
        urgency: programs with a higher urgency begin first (an earlier training step, the last replies of a group);
            among equals, those that have waited long for what they are expected to cost. Running programs are not
            interrupted.
        """
        check.finite("urgency", urgency)
        for name, value in {"all_tests": all_tests, "fresh": fresh, "withdrawable": withdrawable}.items():
            check.flag(name, False if value is None else value)
        self._refuse_in_fork()
        if isinstance(submission, str) and isinstance(problem, Problem):
            submission = Submission(id="", problem_id=problem.id, response=submission)
        refuse_wrong_types(problem, submission)
        assert isinstance(submission, Submission)
        answer: Future[Grade] = Future()
        answer.set_running_or_notify_cancel()
        refuse_unsupported(problem, submission)
        program = read_program(problem, submission, self._require_fence)
        if program.code is None:
            known = self._known(problem)
            detail = "; ".join(program.notes)
            nothing = without_run(Verdict.NO_CODE, known.tests, detail, known.groups)
            answer.set_result(nothing.grade(submission.id, problem.id, **program.about()))
            return answer

        graded = self._run(
            *(problem, program.language, program.code, all_tests),
            fresh=fresh,
            waiter=answer if withdrawable else None,
            urgency=urgency,
        )
        graded.add_done_callback(
            lambda done: deliver(answer, lambda: done.result().grade(submission.id, problem.id, **program.about()))
        )
        return answer

    def _refuse_in_fork(self) -> None:
        if os.getpid() != self._owner:
            raise GraderError("this Grader was made before a fork, by another process: make one in this process")

    def outputs(self, problem: Problem, submission: Submission) -> Future[list[Output]]:
        """Run a program on the inputs of all tests; the future gives its outputs. Expected outputs are not used."""
        self._refuse_in_fork()
        refuse_wrong_types(problem, submission)
        refuse_unsupported(problem, submission)
        refuse_without_outputs(problem)
        program = read_program(problem, submission, self._require_fence)
        answer: Future[list[Output]] = Future()
        answer.set_running_or_notify_cancel()

        def read(ran: ProgramGrade) -> list[Output]:
            pairs = zip(ran.tests, ran.outputs, strict=False)
            found = [read_output(problem, test, output) for test, output in pairs if not isinstance(output, Streams)]
            return found or [Output(ran.verdict, detail=ran.detail)] * ran.total

        ran = self._run(problem, program.language, program.code or "", True, judged=False)
        ran.add_done_callback(lambda done: deliver(answer, lambda: read(done.result())))
        return answer

    def submit_run(
        self,
        code: str,
        language: str = "python",
        stdin: str | bytes = "",
        files: Mapping[str, str | bytes] | None = None,
        *,
        time_limit_s: float | None = None,
        memory_limit_mb: int | None = None,
        kept_bytes: int = DEFAULT_KEPT_BYTES,
        withdrawable: bool = False,
    ) -> Future[ProgramRun]:
        """Start a plain run of a program, without a problem; the future gives what it wrote and used.

        files: by name, written into its working directory. kept_bytes: how much of stdout and of stderr is kept.
        withdrawable: whether `withdraw` may be called for the future.
        """
        self._refuse_in_fork()
        problem = problem_of_run(time_limit_s, memory_limit_mb)
        submission = Submission("run", problem.id, code=code, language=language)
        run = plain_run(stdin, files or {}, kept_bytes)
        refuse_unsupported(problem, submission)
        program = read_program(problem, submission)
        known = KnownProblem(problem)
        with self._lock:
            job = self._job(known, program.language, program.code or "", True, judged=False)
            job.options = job.options._replace(plain_run=run)
            job.may_be_withdrawn = withdrawable
            answer: Future[ProgramRun] = Future()
            answer.set_running_or_notify_cancel()
            if withdrawable:
                self._note(_Wanted(job), answer)
            self._pool.submit(job, known.packed)

        def read(ran: ProgramGrade) -> ProgramRun:
            return read_run(ran.tests[0], ran.outputs[0]) if ran.tests else ProgramRun(ran.verdict, detail=ran.detail)

        job.future.add_done_callback(lambda done: deliver(answer, lambda: read(done.result())))
        return answer

    def run(self, code: str, language: str = "python", stdin: str | bytes = "", **options: Any) -> ProgramRun:
        """Run a program once and wait for it; `options` are those of `submit_run`.

        >>> Grader().run("print(input() + '!')", stdin="hello").stdout            # doctest: +SKIP
        'hello!\\n'
        """
        return self.submit_run(code, language, stdin, **options).result()

    def grade(self, problem: Problem, submission: Submission | str) -> Grade:
        """Grade one submission and wait for it."""
        self._pool.refuse_own_thread("grade()")
        return self.submit(problem, submission).result()

    async def agrade(self, problem: Problem, submission: Submission | str) -> Grade:
        """Grade one submission without blocking the event loop. When the task is cancelled, no further test runs."""
        import asyncio  # imported here because it is half of this package's import time

        future = self.submit(problem, submission, withdrawable=True)
        try:
            return await asyncio.wrap_future(future)
        finally:
            self.withdraw(future)

    def grade_many(self, pairs: Iterable[tuple[Problem, Submission | str]]) -> Iterator[Grade]:
        """Grade a stream of any length; grades come as they are ready, in no fixed order.

        Pairs are taken from the iterable only as fast as they are graded, so memory stays bounded.
        """
        self._pool.refuse_own_thread("grade_many()")
        yield from ready_first(lambda pair: self.submit(*pair), pairs, self._workers * OPEN_PER_WORKER)

    def grade_within(self, pairs: Iterable[tuple[Problem, Submission | str]], budget_s: float) -> Iterator[Grade]:
        """Grade a training step in at most `budget_s` seconds; grades come as they are ready, one for each pair.

        Programs without a verdict by then get JUDGE_ERROR, with a detail that says so. Their `reward` is None, never
        that of a wrong answer. A test that is still running ends at its own limit.
        """
        self._pool.refuse_own_thread("grade_within()")
        yield from graded_within(self, pairs, check.positive("budget_s", budget_s))

    def _run(
        self,
        problem: Problem,
        language: str,
        code: str,
        all_tests: bool | None = None,
        judged: bool = True,
        fresh: bool = False,
        waiter: Future[Any] | None = None,
        urgency: float = 0.0,
    ) -> Future[ProgramGrade]:
        """The grade of a program, graded now or shared with an identical one. `waiter`: a withdrawable future."""
        run_all = self._all_tests if all_tests is None else all_tests
        known = self._known(problem)
        with self._lock:
            order = "" if self._tests_order == "learnt" else f" {self._tests_order}"
            how = f"{language} {run_all} {judged}{order}"
            parts = (known.key.encode(), how.encode(), code.encode("utf-8", "surrogatepass"))
            digest = hashlib.sha256(b"\0".join(parts)).digest()
            future = None if fresh else self._repeats.find(digest)
            if future is not None:
                wanted = self._wanted.get(future)
                if wanted is not None:
                    wanted.callers += 1
                    if waiter is not None:
                        self._note(wanted, waiter)
                return future
            job = self._job(known, language, code, run_all, judged)
            job.urgency = urgency
            job.may_be_withdrawn = waiter is not None
            if self._cache is not None and judged and not fresh:
                self._look_up(self._cache, digest, job, problem)
            if self._cache is not None and self._tests_order == "kept" and judged and job.known is None:
                job.future.add_done_callback(_learning(self._cache, known.key))
            self._pool.submit(job, known.packed)
            wanted = self._wanted[job.future] = _Wanted(job)
            if waiter is not None:
                self._note(wanted, waiter)
            if not fresh:
                self._repeats.follow(digest, job.future)
            job.future.add_done_callback(_noting(self._wanted, known, None if fresh else self._repeats, digest))
        return job.future

    def _known(self, problem: Problem) -> KnownProblem:
        """The problem as the grader knows it. It is packed outside of the lock, which other threads need meanwhile."""
        with self._lock:
            known = self._problems.find(problem)
        if known is None:
            packed = KnownProblem(problem)
            with self._lock:
                known = self._problems.keep(packed)
        return known

    def _note(self, wanted: _Wanted, future: Future[Any]) -> None:
        """Remember a job by its own future or by a waiting one, until that future is done."""
        by_future = self._wanted
        by_future[future] = wanted
        future.add_done_callback(lambda done: by_future.pop(done, None))

    def _job(self, known: KnownProblem, language: str, code: str, run_all: bool, judged: bool) -> Job:
        scoring = known.groups is not None
        options = RunOptions(
            policy=self._policy,
            isolation=self._isolation,
            all_tests=run_all or scoring,  # for a scoring problem, the groups decide which tests are skipped
            skip_unneeded=scoring and not run_all,
            judged=judged,
            toolchain=toolchain_of(language),
            judges_toolchain=toolchain_of("cpp") if has_cpp_judges(known.problem) else None,
        )
        return Job(
            number=next(self._numbers),
            problem_key=known.key,
            code=code,
            tests=known.tests,
            options=options,
            order=known.order,
            place=known.order.next_number(),
            expected_cost_s=known.cost_s(),
            groups=known.groups,
        )

    def _order_of(self, problem: str, expected_ms: Sequence[float]) -> TestOrder:
        before = self._cache.experience(problem) if self._cache and self._tests_order == "kept" else None
        return TestOrder(expected_ms, self._tests_order != "given", before)

    def _look_up(self, cache: VerdictCache, program: bytes, job: Job, problem: Problem) -> None:
        """Give the job its grade if the cache has it; otherwise have the cache keep the grade when the job is done."""
        from microcoder_eval.scheduling.verdict_cache import verdict_key  # imports SQLite

        key = verdict_key(program, job.options, self._layers)
        job.known = cache.find(key)
        if job.known is not None:
            return

        def keep(done: Future[ProgramGrade]) -> None:
            if not done.exception():
                cache.keep(key, done.result(), timeouts_are_sure(done.result(), problem))

        job.future.add_done_callback(keep)


@dataclass(eq=False)
class _Wanted:
    """A job, and how many callers wait for its grade."""

    job: Job
    callers: int = 1


def _noting(
    wanted: dict[Future[Any], _Wanted], known: KnownProblem, repeats: Repeats | None, program: bytes
) -> Callable[[Future[ProgramGrade]], None]:
    """A callback that notes a program's end wherever it counts. One for all: each takes the future's lock again."""

    def note(done: Future[ProgramGrade]) -> None:
        wanted.pop(done, None)
        grade = None if done.exception() else done.result()
        if grade is not None:
            known.learn(grade)
        if repeats is not None:
            repeats.finish(program, done, grade)

    return note


def _learning(cache: VerdictCache, problem: str) -> Callable[[Future[ProgramGrade]], None]:
    """A callback that has the cache note which tests rejected a program."""
    return lambda done: None if done.exception() else cache.learn(problem, done.result())


def _close(pool: Pool, cache: VerdictCache | None) -> None:
    pool.close()
    if cache is not None:
        cache.close()


@dataclass
class _Default:
    """The grader behind `grade`: one worker, made when first needed, one for each process."""

    grader: Grader | None = None
    owner: int = 0


_default = _Default()
_default_lock = threading.Lock()


def grade(problem: Problem, submission: Submission | str) -> Grade:
    """Grade one program or reply. For more than a few, use a `Grader`.

    >>> grade(problem, "print(int(input()) * 2)").accepted                       # doctest: +SKIP
    True
    """
    with _default_lock:
        if _default.grader is None or _default.owner != os.getpid():
            _default.grader, _default.owner = Grader(workers=1), os.getpid()
    return _default.grader.grade(problem, submission)
