"""Asking and marking. A student keeps the same variants in all submissions to an assignment, and in all practice."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import JsonValue
from sqlalchemy import select
from sqlalchemy.orm import Session, selectinload

from app.assignments.schedule import days_late
from app.challenges.service import Catalogue
from app.database import Database
from app.models import Answer, Assignment, Reading, Role, State, Submission, SubmissionKind, User, now
from app.problems import Conflict, NotFound, Unprocessable
from app.questions.asked import drawn_for, facts_of
from app.questions.policy import Policy, refuse_while_locked
from app.submissions.access import find_own
from grader.questions import (
    AnswerFormatError,
    LineVariant,
    Mark,
    MarkStatus,
    QuestionBank,
    QuestionView,
    RunFacts,
    Variant,
)
from grader.report import Verdict


@dataclass(frozen=True)
class Given:
    """The last answer, and what it earned. `marked_by` is set when a person has marked it."""

    question: str
    given: Any
    mark: Mark
    is_late: bool
    marked_by: Role | None


@dataclass(frozen=True)
class Solution:
    """The right answer, as it would be given, and why."""

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
    solution: Solution | None


def ask(database: Database, catalogue: Catalogue, user: User, submission_id: str) -> list[Asked]:
    """The same questions and answers for every submission to an assignment, or for all practice: nobody is asked twice.

    Raises NotFound, Forbidden, and Conflict while there are no questions.
    """
    with database.read() as session:
        submission = _answerable(session, user, submission_id)
        kept = answers_of(session, user.id, submission.challenge, submission.assignment)
        facts = facts_of(session, user.id, submission.challenge, submission.assignment)
    policy = Policy(submission.assignment, now())
    variants = catalogue.get(submission.challenge).questions.variants(drawn_for(user, submission.assignment), facts)
    return [_asked(policy, variant, kept.get(variant.view.id)) for variant in variants]


def answer(
    database: Database, catalogue: Catalogue, user: User, submission_id: str, answers: Sequence[tuple[str, Any]]
) -> list[Asked]:
    """Mark and keep the answers (question, answer), all or none.

    Raises NotFound, Forbidden, Conflict when one is not taken, and Unprocessable when one has not its question's form.
    """
    with database.write() as session:
        submission = _answerable(session, user, submission_id)
        # A student's answers wait for each other, so that each is counted before the next, and for who reads them.
        session.execute(select(User.id).where(User.id == user.id).with_for_update(key_share=True))
        kept = answers_of(session, user.id, submission.challenge, submission.assignment, for_update=True)
        policy = Policy(submission.assignment, now())
        bank = catalogue.get(submission.challenge).questions
        facts = facts_of(session, user.id, submission.challenge, submission.assignment)
        marked = []
        for question, given in answers:
            variant = _variant(bank, drawn_for(user, submission.assignment), facts, question)
            kept[question] = _keep(session, policy, submission, variant, kept.get(question), given)
            marked.append(_asked(policy, variant, kept[question]))
    return marked


def answers_of(
    session: Session, user_id: str, challenge: str, assignment: Assignment | None, *, for_update: bool = False
) -> dict[str, Answer]:
    """The last answers by question, with who read them."""
    query = (
        select(Answer)
        .join(Submission, Answer.submission_id == Submission.id)
        .options(selectinload(Answer.readings))
        .where(
            Submission.user_id == user_id,
            Submission.challenge == challenge,
            Submission.assignment_id == (assignment.id if assignment else None),
        )
        .order_by(Answer.given_at)
    )
    rows = session.scalars(query.with_for_update(of=Answer) if for_update else query)
    return {row.question: row for row in rows}


def _answerable(session: Session, user: User, submission_id: str) -> Submission:
    submission = find_own(session, user, submission_id)
    if submission.kind is SubmissionKind.HUNT:
        raise Conflict("A bug hunt has no questions. Those about your own code are with its submissions.")
    if submission.state is not State.GRADED:
        raise Conflict("The questions come after the verdict. This submission is not graded yet; wait and try again.")
    if submission.verdict is Verdict.REJECTED:
        raise Conflict("This submission could not be graded as sent, so it has no questions. Mend it and submit again.")
    refuse_while_locked(session, submission)
    return submission


def _keep(
    session: Session, policy: Policy, submission: Submission, variant: Variant, before: Answer | None, given: Any
) -> Answer:
    """The row with the new answer in it. The same answer sent again, perhaps by a network, changes nothing."""
    if before is not None and before.given == given:
        return before
    question = variant.view.id
    refusal = policy.refusal(before)
    if refusal is not None:
        raise Conflict(f"{question}: {refusal}")
    try:
        mark = variant.mark(given)
    except AnswerFormatError as error:
        raise Unprocessable(f"{question}: {error}") from error
    row = before or Answer(submission_id=submission.id, question=question, tries=0, version=0, readings=[])
    row.asked, row.given, row.mark = variant.view.prompt, given, mark.model_dump(mode="json")
    row.given_at = policy.moment
    row.check_from = policy.moment if isinstance(variant, LineVariant) else None
    row.tries += 1
    row.version += 1
    session.add(row)
    return row


def _asked(policy: Policy, variant: Variant, row: Answer | None) -> Asked:
    return Asked(
        view=variant.view,
        answer=_given(policy, row) if row else None,
        answers_left=policy.answers_left(row),
        refusal=policy.refusal(row),
        solution=_solution(variant) if policy.shows_solution(row) else None,
    )


def _given(policy: Policy, row: Answer) -> Given:
    reading: Reading | None = row.readings[0] if row.readings else None
    return Given(
        question=row.question,
        given=row.given,
        mark=Mark.model_validate(row.mark),
        is_late=days_late(policy.assignment, row.given_at) > 0,
        marked_by=reading.role if reading else None,
    )


def _solution(variant: Variant) -> Solution | None:
    """None where only a person can tell."""
    if variant.right is None:
        return None
    if isinstance(variant, LineVariant):
        return Solution(variant.right, variant.explanation)
    right, mark = variant.right, variant.mark(variant.right)
    if isinstance(right, float) and right.is_integer():
        right = int(right)
    return Solution(right, mark.feedback if mark.status is MarkStatus.CORRECT else "")


def _variant(bank: QuestionBank, student: str, facts: RunFacts, question: str) -> Variant:
    try:
        return bank.variant(question, student, facts)
    except KeyError:
        raise NotFound(
            f"This challenge has no question {question[:64]!r}. The list of questions has the names."
        ) from None
