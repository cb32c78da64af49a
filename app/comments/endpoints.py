"""`/submissions/{submission_id}/comments`."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Query

from app.comments import service
from app.comments.schemas import ChangedComment, CommentList, CommentView, NewComment
from app.services import SignedIn, WithServices

router = APIRouter(prefix="/submissions/{submission_id}/comments", tags=["comments"])


@router.get("")
def list_comments(
    submission_id: str,
    user: SignedIn,
    services: WithServices,
    as_student: Annotated[bool, Query(description="for staff: no more than its student sees")] = False,
) -> CommentList:
    """What staff wrote about a submission. Its student sees it once the assignment tells results and their causes."""
    return CommentList(items=service.list_all(services.database, user, submission_id, as_student=as_student))


@router.post("", status_code=HTTPStatus.CREATED)
def write_comment(submission_id: str, wanted: NewComment, user: SignedIn, services: WithServices) -> CommentView:
    """Writes a comment on a line of a submission, or on the whole of it. Staff only."""
    return service.write(services.database, user, submission_id, wanted)


@router.patch("/{comment}")
def change_comment(
    submission_id: str, comment: str, wanted: ChangedComment, user: SignedIn, services: WithServices
) -> CommentView:
    """Replaces a comment's text. Its author and instructors only; the audit log keeps what it said before."""
    return service.change(services.database, user, submission_id, comment, wanted)


@router.delete("/{comment}", status_code=HTTPStatus.NO_CONTENT)
def delete_comment(submission_id: str, comment: str, user: SignedIn, services: WithServices) -> None:
    """Deletes a comment. Its author and instructors only; the audit log keeps what it said."""
    service.delete(services.database, user, submission_id, comment)
