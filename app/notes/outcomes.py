"""Tells students what an applied regrade has changed for them. Part of the caller's transaction."""

from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from app.assignments.schedule import holds_grades
from app.courses.access import is_student_of
from app.models import Assignment, Enrollment, Note, NoteKind, NoteRecipient, Regrade, RegradedSubmission, Submission


def tell_outcome(session: Session, assignment: Assignment, regrade: Regrade) -> None:
    """Sends a note to everybody whose verdict or points the regrade has changed; while grades are held, to nobody: they
    have not seen what was before.
    """
    if holds_grades(assignment):
        return
    item = RegradedSubmission
    students = select(Enrollment.user_id).where(is_student_of(assignment.course))
    changed = (
        select(Submission.user_id)
        .join(item, item.submission_id == Submission.id)
        .where(item.regrade_id == regrade.id, item.has_changed(), Submission.user_id.in_(students))
        .distinct()
    )
    people = list(session.scalars(changed))
    if not people:
        return
    row = Note(
        course_id=assignment.course_id,
        assignment_id=assignment.id,
        kind=NoteKind.REGRADE,
        regrade_id=regrade.id,
        text="",
    )
    session.add(row)
    session.flush()
    session.execute(insert(NoteRecipient), [{"note_id": row.id, "user_id": each} for each in people])
