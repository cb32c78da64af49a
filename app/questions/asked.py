"""Whom questions are drawn for, and what they may be about."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.models import Assignment, DiagnosedMisconception, State, Submission, User
from grader.questions import NO_FACTS, QuestionBank, RunFacts
from grader.report import Report, Verdict

MISCONCEPTIONS_KEPT = 20


def drawn_for(user: User, assignment: Assignment | None) -> str:
    """Returns the seed of a student's questions: those in an assignment differ from those practised before."""
    return f"{user.question_seed}/{assignment.id}" if assignment else user.question_seed


def bank_for(bank: QuestionBank, assignment: Assignment | None) -> QuestionBank:
    """Returns the bank with the variants that may be drawn. Assignments older than practice draw from all."""
    if assignment is None:
        return bank.practice
    return bank.graded if assignment.draws_apart else bank


def facts_of(session: Session, user_id: str, challenge: str, assignment: Assignment | None) -> RunFacts:
    """Returns the facts of the first submission that passed, so that questions stay the same however many follow."""
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


def facts_by_student(session: Session, assignment: Assignment) -> dict[str, RunFacts]:
    """Returns the facts of every student in an assignment, by student."""
    rows = session.execute(
        select(Submission.user_id, Submission.facts)
        .where(Submission.assignment_id == assignment.id, Submission.facts.is_not(None))
        .order_by(Submission.graded_at, Submission.id)
    )
    found: dict[str, RunFacts] = {}
    for student, kept in rows:
        if student not in found:
            found[student] = RunFacts.model_validate(kept)
    return found


def facts_by_assignment(session: Session, user: User, assignments: Sequence[Assignment]) -> dict[str, RunFacts]:
    """Returns one student's facts in each of these assignments, by assignment."""
    rows = session.execute(
        select(Submission.assignment_id, Submission.facts)
        .where(
            Submission.user_id == user.id,
            Submission.assignment_id.in_([each.id for each in assignments]),
            Submission.facts.is_not(None),
        )
        .order_by(Submission.graded_at, Submission.id)
    )
    found: dict[str, RunFacts] = {}
    for assignment_id, kept in rows:
        if assignment_id is not None and assignment_id not in found:
            found[assignment_id] = RunFacts.model_validate(kept)
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
