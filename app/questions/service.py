"""Asking. A student keeps the same variants in all submissions to an assignment, and in all practice."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from pydantic import JsonValue
from sqlalchemy import select
from sqlalchemy.orm import Session, selectinload

from app.assignments.late_policy import days_late
from app.assignments.terms import terms_for
from app.challenges.service import Catalogue
from app.database import Database
from app.models import Answer, Assignment, HumanGrade, Role, State, Submission, SubmissionKind, User, now
from app.problems import Conflict
from app.questions.asked import bank_for, drawn_for, facts_of
from app.questions.policy import Policy, refuse_while_locked
from app.submissions.access import find_own
from app.submissions.feedback import told_state
from grader.questions import (
    LineVariant,
    Mark,
    MarkStatus,
    QuestionBank,
    QuestionView,
    Variant,
)
from grader.report import Verdict

HELD: Final = "Your answer is kept. Marks are told when the grades are released."


@dataclass(frozen=True)
class Given:
    """The last answer, and the points that it earned. `marked_by` is set when a person has marked it."""

    question: str
    given: Any
    mark: Mark
    is_held: bool
    is_late: bool
    is_given_up: bool
    marked_by: Role | None


@dataclass(frozen=True)
class RightAnswer:
    """The right answer, in the form in which it would be given, and why."""

    answer: JsonValue
    explanation: str


@dataclass(frozen=True)
class Asked:
    """A question as this student gets it, the last answer to it, and what may follow.

    `refusal` says why no answer is taken any more; `answers_left` is None where there is no limit.
    """

    view: QuestionView
    answer: Given | None
    answers_left: int | None
    refusal: str | None
    solution: RightAnswer | None


def ask(database: Database, catalogue: Catalogue, user: User, submission_id: str) -> list[Asked]:
    """Returns a student's questions. They are the same for every submission to an assignment, and for all practice.

    Raises NotFound, Forbidden, and Conflict while there are no questions.
    """
    with database.read() as session:
        submission = answerable(session, user, submission_id)
        kept = answers_of(session, user.id, submission.challenge, submission.assignment)
        facts = facts_of(session, user.id, submission.challenge, submission.assignment)
    policy = Policy(terms_for(submission), now())
    bank = bank_for(catalogue.get(submission.challenge).questions, submission.assignment)
    variants = bank.variants(drawn_for(user.question_seed, submission.assignment), facts)
    return [asked_of(policy, bank, variant, last_answer(policy, variant, kept)) for variant in variants]


def answers_of(
    session: Session, user_id: str, challenge: str, assignment: Assignment | None, *, for_update: bool = False
) -> dict[str, Answer]:
    """Returns the last answers by question, with their human grades."""
    query = (
        select(Answer)
        .join(Submission, Answer.submission_id == Submission.id)
        .options(selectinload(Answer.human_grades), selectinload(Answer.job))
        .where(
            Submission.user_id == user_id,
            Submission.challenge == challenge,
            Submission.assignment_id == (assignment.id if assignment else None),
        )
        .order_by(Answer.given_at)
    )
    rows = session.scalars(query.with_for_update(of=Answer) if for_update else query)
    return {row.question: row for row in rows}


def answerable(session: Session, user: User, submission_id: str) -> Submission:
    """Returns the person's submission if its questions may be asked. Raises NotFound, Forbidden, Conflict."""
    submission = find_own(session, user, submission_id)
    if submission.kind is SubmissionKind.HUNT:
        raise Conflict("A bug hunt has no questions. The questions about your own code are on its submissions.")
    if told_state(submission, now()) is not State.GRADED:
        raise Conflict(
            "The questions open after the verdict. This submission has not been graded yet; wait and try again."
        )
    if submission.verdict is Verdict.REJECTED:
        raise Conflict("This submission could not be graded, so it has no questions. Fix it and submit again.")
    refuse_while_locked(session, submission)
    return submission


def words_of(view: QuestionView) -> str:
    """Returns the text of the question that an answer was given to."""
    return view.prompt if view.code is None else f"{view.prompt}\n\n{view.code}"


def last_answer(policy: Policy, variant: Variant, kept: Mapping[str, Answer]) -> Answer | None:
    """Returns the last answer to this question. In practice, numbers change with the bank, and earlier answers no
    longer apply.
    """
    row = kept.get(variant.view.id)
    is_to_another = row is not None and policy.assignment is None and row.asked != words_of(variant.view)
    return None if is_to_another else row


def asked_of(policy: Policy, bank: QuestionBank, variant: Variant, row: Answer | None) -> Asked:
    """Returns the question with its last answer and what may follow."""
    return Asked(
        view=variant.view,
        answer=_given(policy, row) if row else None,
        answers_left=policy.answers_left(row),
        refusal=policy.refusal_of(variant.view.id, bank, row),
        solution=_solution(variant) if policy.shows_solution(row) else None,
    )


def _given(policy: Policy, row: Answer) -> Given:
    grade: HumanGrade | None = row.human_grades[0] if row.human_grades else None
    return Given(
        question=row.question,
        given=row.given,
        mark=_untold(row) if policy.is_held else Mark.model_validate(row.mark),
        is_held=policy.is_held,
        is_late=days_late(policy.terms, row.given_at) > 0,
        is_given_up=row.is_given_up,
        marked_by=grade.role if grade and not policy.is_held else None,
    )


def _untold(row: Answer) -> Mark:
    """What a student is told of a mark while grades are held: that the answer is kept."""
    return Mark(status=MarkStatus.PENDING, score=0.0, max_score=row.mark["max_score"], feedback=HELD)


def _solution(variant: Variant) -> RightAnswer | None:
    """None where only a person can tell."""
    if variant.right is None:
        return None
    if isinstance(variant, LineVariant):
        return RightAnswer(variant.right, variant.explanation)
    right, mark = variant.right, variant.mark(variant.right)
    if isinstance(right, float) and right.is_integer():
        right = int(right)
    return RightAnswer(right, mark.feedback if mark.status is MarkStatus.CORRECT else "")
