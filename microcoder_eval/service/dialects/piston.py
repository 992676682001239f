"""Piston's `/api/v2/runtimes` and `/api/v2/execute`.

Where it differs: each language has one version, whichever the client names (the answer says which); programs get no
arguments; time limits are of CPU time; up to 16 MiB of output are returned, where Piston cuts at 1,024 bytes.
"""

from __future__ import annotations

import re
import signal
import sys
from typing import Any

from microcoder_eval.errors import InputError
from microcoder_eval.languages.toolchain import ToolchainState
from microcoder_eval.program_run import ProgramRun
from microcoder_eval.record_schema import LIST, NUMBER, TEXT, shown
from microcoder_eval.service.call import Call, CallRequest, Service, field_of
from microcoder_eval.service.dialects.plain_runs import from_base64, language_of, readable, run_limits
from microcoder_eval.service.refusal import Kind, Refusal
from microcoder_eval.verdict import Verdict

RUN_TIMEOUT_MS = 3000
UNKNOWN = "0.0.0"
STATUS = {
    Verdict.TIME_LIMIT: "TO",
    Verdict.OUTPUT_LIMIT: "OL",
    Verdict.RUNTIME_ERROR: "RE",
    Verdict.MEMORY_LIMIT: "RE",
    Verdict.COMPILE_ERROR: "RE",
    Verdict.FORBIDDEN: "RE",
}


async def runtimes(service: Service, request: CallRequest) -> list[dict[str, Any]]:
    return list((await _runtimes(service)).values())


async def _runtimes(service: Service) -> dict[str, dict[str, Any]]:
    """The languages of this machine."""
    python = {"language": "python", "version": ".".join(map(str, sys.version_info[:3])), "aliases": ["py", "python3"]}
    others = [state for state in await service.desk.toolchains() if state.present and state.language != "python"]
    return {"python": python, **{state.language: _runtime(state) for state in others}}


def _runtime(state: ToolchainState) -> dict[str, Any]:
    version = re.search(r"\d+(\.\d+)+", state.evidence)
    return {"language": state.language, "version": version[0] if version else UNKNOWN, "aliases": []}


async def execute(service: Service, request: CallRequest) -> dict[str, Any]:
    language = language_of(request.body.get("language"))
    field_of(request.body, "version", TEXT)
    if request.field("args", LIST, []):
        raise InputError("args: programs get no arguments here; use stdin")
    program, files = _files(request.field("files", LIST))
    timeout_ms = request.field("run_cpu_time", NUMBER, 0) or request.field("run_timeout", NUMBER, 0) or RUN_TIMEOUT_MS
    memory = request.field("run_memory_limit", NUMBER, -1)
    if timeout_ms <= 0:
        raise InputError("run_timeout must be non-negative")
    run = await service.desk.run(
        request.caller,
        program,
        language,
        request.field("stdin", TEXT, ""),
        files=files,
        **run_limits(service, timeout_ms / 1000, memory / 2**20 if memory > 0 else -1),
    )
    if run.verdict is Verdict.JUDGE_ERROR:
        raise Refusal(Kind.INTERNAL_ERROR, run.detail)
    runtime = (await _runtimes(service)).get(language, {"version": UNKNOWN})  # not listed: installed since
    answer: dict[str, Any] = {"language": language, "version": runtime["version"]}
    if run.verdict is Verdict.COMPILE_ERROR:
        failed = _stage(1, stderr=run.detail, status="RE")
        stages = {"run": failed} if language == "python" else {"compile": failed, "run": failed}
        return {**answer, **stages}  # Piston repeats the stage that failed
    if language != "python":
        answer["compile"] = _stage(0)
    return {**answer, "run": _run(run)}


def _files(listed: list[Any]) -> tuple[str, dict[str, bytes]]:
    """The program, which is the first file in utf8, and the other files by name."""
    program: str | None = None
    files: dict[str, bytes] = {}
    for index, file in enumerate(listed):
        if not isinstance(file, dict) or not isinstance(file.get("content"), str):
            raise InputError(f"files[{index}].content is required as a string")
        encoding = file.get("encoding") or "utf8"
        if encoding == "utf8" and program is None:
            program = file["content"]
            continue
        name = file.get("name") or f"file{index}.code"
        if not isinstance(name, str):
            raise InputError(f"files[{index}].name: a text expected, found {shown(name)}")
        files[name] = _content(file["content"], encoding, name)
    if program is None:
        raise InputError("files must include at least one utf8 encoded file")
    return program, files


def _content(text: str, encoding: Any, name: str) -> bytes:
    if encoding == "utf8":
        return text.encode("utf-8", "surrogatepass")
    if encoding == "base64":
        return from_base64(text, name)
    if encoding == "hex":
        try:
            return bytes.fromhex(text)
        except ValueError:
            raise InputError(f"files: {shown(name)} is not hex") from None
    raise InputError(f"files: {shown(name)}: unknown encoding {shown(encoding)}")


def _run(run: ProgramRun) -> dict[str, Any]:
    status = run.exit_status
    killed = status is not None and status < 0
    ended = "SG" if killed and run.verdict is Verdict.RUNTIME_ERROR else STATUS.get(run.verdict, "RE")
    return _stage(
        None if killed else (status or (0 if run.ended_well else 1)),
        _signal(-status) if status is not None and killed else None,
        readable(run.stdout),
        readable(run.stderr),
        None if run.ended_well else ended,
        None if run.ended_well else run.detail,
        run,
    )


def _stage(
    code: int | None,
    ended_by: str | None = None,
    stdout: str = "",
    stderr: str = "",
    status: str | None = None,
    message: str | None = None,
    run: ProgramRun | None = None,
) -> dict[str, Any]:
    return {
        "stdout": stdout,
        "stderr": stderr,
        "output": stdout + stderr,
        "code": code,
        "signal": ended_by,
        "message": message,
        "status": status,
        "memory": run.memory_kb * 1024 if run else 0,
        "cpu_time": round(run.cpu_s * 1000) if run else 0,
        "wall_time": round(run.wall_s * 1000) if run else 0,
    }


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"SIG{number}"


def refusal(why: Refusal) -> tuple[int, Any]:
    return why.status, {"message": why.message, **why.to_dict()}


CALLS = [Call("GET", "/api/v2/runtimes", runtimes, refusal), Call("POST", "/api/v2/execute", execute, refusal)]
