"""Upload a built dataset to the Hugging Face hub: rows, card, manifest and report, but not `work/` and `dropped/`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from microcoder_data.report.dataset import load_manifest
from microcoder_eval import InputError
from microcoder_eval.errors import first_line

PUBLISHED = ("README.md", "manifest.json", "report.html", "data/*", "solutions/*", "tests/*")


@dataclass(frozen=True)
class Push:
    """Which files are uploaded to which repository."""

    directory: Path
    repository: str
    files: tuple[Path, ...]

    @property
    def size(self) -> int:
        return sum(file.stat().st_size for file in self.files)


def plan(directory: Path, repository: str) -> Push:
    """The files that a push would upload; raises InputError without a dataset or for an impossible repository name."""
    from huggingface_hub.utils import HFValidationError, validate_repo_id

    load_manifest(directory)
    try:
        validate_repo_id(repository)
    except HFValidationError as error:
        raise InputError(f"{repository!r} cannot be a repository: {first_line(error)}") from None
    if "/" not in repository:
        raise InputError(f"{repository!r} cannot be a repository: write OWNER/NAME")
    files = (file for pattern in PUBLISHED for file in sorted(directory.glob(pattern)))
    return Push(directory, repository, tuple(file for file in files if file.is_file() and file.name[0] != "."))


def push(planned: Push, private: bool, token: str | None, message: str) -> str:
    """Upload the files; returns the commit's address. A failure is an InputError of one line that says what to do."""
    import huggingface_hub
    from huggingface_hub.errors import HfHubHTTPError

    token = token or huggingface_hub.get_token()
    if token is None:
        raise InputError("no token for the hub: run `hf auth login`, set HF_TOKEN, or give --token")
    hub = huggingface_hub.HfApi(token=token)
    try:
        hub.create_repo(planned.repository, repo_type="dataset", private=private, exist_ok=True)
        commit = hub.upload_folder(
            repo_id=planned.repository,
            repo_type="dataset",
            folder_path=planned.directory,
            allow_patterns=[file.relative_to(planned.directory).as_posix() for file in planned.files],
            commit_message=message,
        )
    except HfHubHTTPError as error:
        status = getattr(error.response, "status_code", None)
        hint = {
            401: "the token is not valid: run `hf auth login` again",
            403: f"the token may not write to {planned.repository}: it needs the role write",
        }.get(status or 0, first_line(error))
        raise InputError(f"{hub.endpoint} refused {planned.repository}: {hint}") from None
    except Exception as error:  # the hub's client changes its network library, and with it the kinds of errors
        raise InputError(f"uploading to {hub.endpoint} failed: {type(error).__name__}: {error}") from None
    return str(commit.commit_url)
