"""Lines of a submission's files, as people name them in what they write about it."""

from collections.abc import Mapping, Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.models import Submission, SubmissionFile
from app.problems import Conflict, wrong
from app.submissions.files import lines_in


def contents_of(session: Session, submission: Submission) -> dict[str, bytes]:
    """Returns the files by path. Raises Conflict when they were erased with all that is the student's."""
    query = select(SubmissionFile.path, SubmissionFile.content).where(SubmissionFile.submission_id == submission.id)
    files = {row.path: row.content for row in session.execute(query)}
    if not files:
        raise Conflict("The student's data was erased: there is nobody to write to.")
    return files


def file_with(
    submission: Submission, files: Mapping[str, bytes], file: str | None, lines: Sequence[int], field: str
) -> str | None:
    """Returns the file as it is kept: the uploaded one is None, however it was named. Raises Unprocessable, about
    `field`, when it does not have these lines.
    """
    path = file or submission.main
    if path not in files:
        raise wrong("file", f"The submission has no file {path[:100]!r}. Its files are: {', '.join(sorted(files))}.")
    last = len(lines_in(files[path].decode("utf-8-sig", "replace")))
    if max(lines) > last:
        name = submission.filename if path == submission.main else path
        raise wrong(field, f"The last line of {name} is line {last}. Choose one that there is.")
    return None if path == submission.main else path
