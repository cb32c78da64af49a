"""From the parts of an upload to files with safe names. What is *in* the files is the grader's to judge, not ours."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Final

from fastapi import UploadFile

from app.problems import TooLarge, Unprocessable
from grader.challenge import Challenge
from grader.guest.submission import Submission
from grader.notebook import NotebookError, is_notebook, source_of

PATH_LENGTH_MAX: Final = 200
_KEY: Final = re.compile(r"[\x21-\x7e]{1,200}")


@dataclass(frozen=True)
class Upload:
    """A student's upload. `files` are by module path; `filename` is only what the student calls the main one."""

    filename: str
    submission: Submission = field(repr=False)
    idempotency_key: str | None = None


def read_upload(
    file: UploadFile,
    siblings: Sequence[UploadFile],
    challenge: Challenge,
    siblings_max: int,
    idempotency_key: str | None,
    path: str | None = None,
) -> Upload:
    """Reads the upload for this challenge. `path` is the main file's in the student's project, where it is not the
    challenge's. Refuses files that are too large to be graded, so that they do not fill the database. Raises
    Unprocessable, TooLarge.
    """
    if len(siblings) > siblings_max:
        raise Unprocessable(
            f"{len(siblings)} other modules were uploaded; the limit is {siblings_max}. Upload only those you import."
        )
    if idempotency_key is not None and not _KEY.fullmatch(idempotency_key):
        raise Unprocessable(
            "Idempotency-Key must be 1 to 200 printable ASCII characters without spaces. A UUID is fine."
        )
    main = _module_path(path) if path else challenge.manifest.default_path
    filename = _display_name(file.filename or "")
    files = {main: _python_of(filename, file.file.read())}
    for sibling in siblings:
        path = _module_path(sibling.filename or "")
        if path in files:
            raise Unprocessable(f"{path!r} was uploaded twice, or is the path of the main file. Upload each file once.")
        files[path] = sibling.file.read()
    submission = Submission(main=main, files=files)
    too_large = submission.beside(challenge.support).too_large(challenge.manifest.source.max_bytes)
    if too_large:
        raise TooLarge(too_large)
    return Upload(filename, submission, idempotency_key)


def _python_of(filename: str, content: bytes) -> bytes:
    if not is_notebook(filename):
        return content
    try:
        return source_of(content)
    except NotebookError as error:
        raise Unprocessable(str(error)) from error


def _display_name(filename: str) -> str:
    last = filename.replace("\\", "/").rpartition("/")[2]
    printable = "".join(char for char in last if unicodedata.category(char)[0] != "C").strip()
    if not printable:
        raise Unprocessable("The part 'file' has no file name. Send it as a file, for example layers.py.")
    return printable[-120:]


def _module_path(filename: str) -> str:
    path = PurePosixPath(filename)
    stems = [*path.parts[:-1], path.stem]
    proper = (
        0 < len(filename) <= PATH_LENGTH_MAX
        and path.suffix == ".py"
        and path.as_posix() == filename
        and all(stem.isidentifier() for stem in stems)
    )
    if not proper:
        raise Unprocessable(
            f"{filename[:80]!r} is not a valid path for a module. "
            "Use its path inside your package, for example cs336_basics/utils.py."
        )
    return unicodedata.normalize("NFC", filename)
