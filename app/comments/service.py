"""Comments on a submission. Its staff write them, their author and instructors change them; its student reads them
once their assignment tells results. What was changed or deleted stands in the audit log.
"""

from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session, aliased, joinedload

from app import audit
from app.comments.schemas import ChangedComment, CommentView, NewComment, Place
from app.courses.access import manages
from app.database import Database
from app.models import Comment, Enrollment, State, Submission, User, now
from app.problems import Conflict, Forbidden, NotFound
from app.rows import count, hold, row_with
from app.submissions.access import Access, find
from app.submissions.feedback import shows_comments
from app.submissions.line_references import contents_of, file_with

COMMENTS_MAX: Final = 200  # on one submission


def list_all(database: Database, user: User, submission_id: str, *, as_student: bool = False) -> list[CommentView]:
    """Returns the comments on a submission; none to its student while results are kept back. `as_student` is for staff:
    no more than the student sees. Raises NotFound.
    """
    with database.read() as session:
        access = find(session, user, submission_id)
        if (access.is_owner or as_student) and not shows_comments(access.submission, now()):
            return []
        return _views(session, user, access, may_change=not as_student)


def refuse_all_but_staff(database: Database, user: User, submission_id: str) -> None:
    """Raises NotFound, and Forbidden to the student."""
    with database.read() as session:
        _staff_access(session, user, submission_id)


def write(database: Database, user: User, submission_id: str, wanted: NewComment) -> CommentView:
    """Writes a comment. Raises NotFound, Forbidden to the student, Conflict, and Unprocessable for a place that the
    submission does not have.
    """
    with database.write() as session:
        access = _staff_access(session, user, submission_id)
        submission = access.submission
        _check_room(session, submission)
        place = _checked(submission, contents_of(session, submission), wanted)
        row = Comment(submission_id=submission.id, author_id=user.id, text=wanted.text, **place.model_dump())
        session.add(row)
        session.flush()
        _note(session, user, access, "comment.write", row, text=row.text)
        return _one(session, user, access, row.id)


def change(database: Database, user: User, submission_id: str, comment_id: str, wanted: ChangedComment) -> CommentView:
    """Replaces a comment's text. Raises NotFound, Forbidden."""
    with database.write() as session:
        access = _staff_access(session, user, submission_id)
        row = _own(session, user, access, comment_id)
        if row.text != wanted.text:
            _note(session, user, access, "comment.change", row, text=[row.text, wanted.text])
            row.text, row.edited_at, row.edited_by_id = wanted.text, now(), user.id
            session.flush()
        return _one(session, user, access, row.id)


def delete(database: Database, user: User, submission_id: str, comment_id: str) -> None:
    """Deletes a comment. Raises NotFound, Forbidden."""
    with database.write() as session:
        access = _staff_access(session, user, submission_id)
        row = _own(session, user, access, comment_id)
        _note(session, user, access, "comment.delete", row, text=row.text)
        session.delete(row)


def _staff_access(session: Session, user: User, submission_id: str) -> Access:
    access = find(session, user, submission_id)
    if access.is_owner:
        raise Forbidden("Only the staff of the course can comment on a submission.")
    return access


def _check_room(session: Session, submission: Submission) -> None:
    """Writers of one submission wait for each other, so that each is counted before the next asks."""
    if submission.state is not State.GRADED:
        raise Conflict("This submission has not been graded. Comment on it once it has.")
    hold(session, Submission.id, submission.id, key_share=True)
    if count(session, Comment.submission_id == submission.id) >= COMMENTS_MAX:
        raise Conflict(f"This submission has {COMMENTS_MAX} comments, which is the limit. Change one of them instead.")


def _checked(submission: Submission, files: dict[str, bytes], wanted: NewComment) -> Place:
    """Returns the place as it is kept."""
    if wanted.line is None:
        return Place()
    return Place(file=file_with(submission, files, wanted.file, [wanted.line], "line"), line=wanted.line)


def _own(session: Session, user: User, access: Access, comment_id: str) -> Comment:
    """The comment, locked, if the person may change it."""
    row = row_with(session, Comment, comment_id, with_for_update=True)
    if row is None or row.submission_id != access.submission.id:
        raise NotFound("There is no such comment on this submission. It may have been deleted.")
    if row.author_id != user.id and not manages(session, user, access.submission.course_id):
        raise Forbidden("Only its author and the instructors of the course can change or delete a comment.")
    return row


def _one(session: Session, user: User, access: Access, comment_id: str) -> CommentView:
    return next(each for each in _views(session, user, access) if each.id == comment_id)


def _views(session: Session, user: User, access: Access, *, may_change: bool = True) -> list[CommentView]:
    course_id = access.submission.course_id
    editor = aliased(User)
    query = (
        select(Comment, Enrollment.full_name, editor.name)
        .options(joinedload(Comment.author))
        .outerjoin(Enrollment, (Enrollment.user_id == Comment.author_id) & (Enrollment.course_id == course_id))
        .outerjoin(editor, editor.id == Comment.edited_by_id)
        .where(Comment.submission_id == access.submission.id)
    )
    is_staff = access.as_staff and may_change
    is_manager = is_staff and manages(session, user, course_id)
    views = [
        CommentView.of(
            row,
            author=row.author.name,
            author_full_name=full_name,
            edited_by=edited_by,
            may_change=is_staff and (is_manager or row.author_id == user.id),
        )
        for row, full_name, edited_by in session.execute(query)
    ]
    return sorted(views, key=lambda each: (each.line is not None, each.file or "", each.line or 0, each.id))


def _note(session: Session, user: User, access: Access, action: str, row: Comment, *, text: str | list[str]) -> None:
    submission = access.submission
    place = {"file": row.file, "line": row.line} if row.line else {}
    audit.note(
        session, user, action, submission.id, submission.course, student=submission.user.name, **place, text=text
    )
