"""The files of a submission, as text: `GET /submissions/{id}/files`."""

import re
from dataclasses import dataclass
from typing import Final

from fastapi import APIRouter
from sqlalchemy import select

from app.database import Database
from app.models import Submission, SubmissionFile, User
from app.request_values import View
from app.services import SignedIn, WithServices
from app.submissions.access import find

LINE_END: Final = re.compile(r"\r\n|\r|\n")  # Python's own; str.splitlines knows more

router = APIRouter(prefix="/submissions/{submission_id}", tags=["submissions"])


@dataclass(frozen=True)
class SentFile:
    """One file. Bytes that are not UTF-8 are replaced; a byte order mark is left out."""

    path: str
    name: str  # what its student calls it
    is_main: bool
    text: str


class FileView(View):
    """A file of a submission."""

    path: str
    is_main: bool
    text: str


class FileList(View):
    """The files of a submission."""

    items: list[FileView]


@router.get("/files")
def list_files(submission_id: str, user: SignedIn, services: WithServices) -> FileList:
    """The files of a submission, the main one first. For its student and the staff."""
    files = sent_files(services.database, user, submission_id)
    return FileList(items=[FileView.model_validate(file) for file in files])


def sent_files(database: Database, user: User, submission_id: str) -> list[SentFile]:
    """Returns the files, the main one first, then by path. Raises NotFound."""
    with database.read() as session:
        submission = find(session, user, submission_id).submission
        rows = session.scalars(select(SubmissionFile).where(SubmissionFile.submission_id == submission_id)).all()
    files = [_sent(row, submission) for row in rows]
    return sorted(files, key=lambda file: (not file.is_main, file.path))


def lines_in(text: str) -> list[str]:
    """Returns the lines of a source, as they are numbered everywhere."""
    return LINE_END.split(text)


def _sent(row: SubmissionFile, submission: Submission) -> SentFile:
    is_main = row.path == submission.main
    name = submission.filename if is_main else row.path
    return SentFile(row.path, name, is_main, row.content.decode("utf-8-sig", "replace"))
