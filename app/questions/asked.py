"""Whom questions are drawn for, and what they may be about."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.assignments.counting import StudentAssignment
from app.models import Assignment, DiagnosedMisconception, GradesRelease, State, Submission
from grader.questions import NO_FACTS, QuestionBank, RunFacts
from grader.report import Report, Verdict

MISCONCEPTIONS_KEPT = 20


def drawn_for(seed: str, assignment: Assignment | None) -> str:
    """Returns the seed of the questions of a student with this seed: those in an assignment differ from those practised
    before.
    """
    return f"{seed}/{assignment.id}" if assignment else seed


def bank_for(bank: QuestionBank, assignment: Assignment | None) -> QuestionBank:
    """Returns the bank with the variants that may be drawn. Assignments older than practice draw from all."""
    if assignment is None:
        return bank.practice
    return bank.graded if assignment.draws_apart else bank


def _asks_about_runs(assignment: Assignment | None) -> bool:
    """Whether a question may be about a run that passed. Where grades are held it would tell that one has, and after
    their release there may be no time to answer it.
    """
    return assignment is None or assignment.grades_release is not GradesRelease.HELD


def facts_of(session: Session, user_id: str, challenge: str, assignment: Assignment | None) -> RunFacts:
    """Returns the facts of the first submission that passed, so that questions stay the same however many follow."""
    if not _asks_about_runs(assignment):
        return NO_FACTS
    kept = session.scalar(
        select(Submission.facts)
        .where(
            Submission.user_id == user_id,
            Submission.challenge == challenge,
            Submission.assignment_id == (assignment.id if assignment else None),
            Submission.facts.is_not(None),
        )
        .order_by(Submission.graded_at, Submission.id)
        .limit(1)
    )
    return RunFacts.model_validate(kept) if kept else NO_FACTS


def facts_in(
    session: Session, assignments: Sequence[Assignment], students: Sequence[str] | None = None
) -> dict[StudentAssignment, RunFacts]:
    """Returns the facts of these students, or of everybody, in each of these assignments."""
    ids = [each.id for each in assignments if _asks_about_runs(each)]
    query = (
        select(Submission.user_id, Submission.assignment_id, Submission.facts)
        .where(Submission.assignment_id.in_(ids), Submission.facts.is_not(None))
        .order_by(Submission.graded_at, Submission.id)
    )
    if students is not None:
        query = query.where(Submission.user_id.in_(students))
    found: dict[StudentAssignment, RunFacts] = {}
    for user_id, assignment_id, kept in session.execute(query):
        if assignment_id is not None and StudentAssignment(user_id, assignment_id) not in found:
            found[StudentAssignment(user_id, assignment_id)] = RunFacts.model_validate(kept)
    return found


def facts_to_keep(session: Session, submission: Submission, report: Report) -> RunFacts | None:
    """Returns what questions may ask about this run and the attempts before it in the same course; None unless it has
    passed. A submission near to a hunt's file is not used: its mistake would give the hunt away.
    """
    if report.verdict is not Verdict.PASSED or submission.near_hunt_id is not None:
        return None
    misconceptions = session.scalars(
        select(DiagnosedMisconception.misconception)
        .join(Submission, Submission.id == DiagnosedMisconception.submission_id)
        .where(
            Submission.user_id == submission.user_id,
            Submission.challenge == submission.challenge,
            Submission.course_id.is_not_distinct_from(submission.course_id),
            Submission.near_hunt_id.is_(None),
            Submission.state == State.GRADED,
            Submission.attempt < submission.attempt,
        )
        .order_by(Submission.attempt.desc(), DiagnosedMisconception.misconception)
        .limit(MISCONCEPTIONS_KEPT)
    )
    return RunFacts.of(report, misconceptions.all())
