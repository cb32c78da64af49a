"""Asking and marking. The variant depends on the student alone, so that it stays the same for every submission."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.challenges.service import Catalogue
from app.database import Database
from app.models import Answer, State, Submission, User, now
from app.problems import Conflict, NotFound, Unprocessable
from app.submissions.access import find_own
from grader.questions import AnswerFormatError, Mark, QuestionBank, QuestionView, Variant
from grader.report import Verdict


@dataclass(frozen=True)
class Given:
    """An answer and what it earned."""

    question: str
    given: Any
    mark: Mark


@dataclass(frozen=True)
class Asked:
    """A question as this student gets it, and the last answer to it."""

    view: QuestionView
    answer: Given | None


def ask(database: Database, catalogue: Catalogue, user: User, submission_id: str) -> list[Asked]:
    """The same questions and answers for every submission to a challenge: nobody is asked twice.

    Raises NotFound, Forbidden, and Conflict while there are no questions.
    """
    with database.read() as session:
        submission = _answerable(session, user, submission_id)
        rows = session.scalars(
            select(Answer)
            .join(Submission, Answer.submission_id == Submission.id)
            .where(Submission.user_id == user.id, Submission.challenge == submission.challenge)
            .order_by(Answer.given_at)
        )
        given = {row.question: Given(row.question, row.given, Mark.model_validate(row.mark)) for row in rows}
    variants = catalogue.get(submission.challenge).questions.variants(user.id)
    return [Asked(variant.view, given.get(variant.view.id)) for variant in variants]


def answer(
    database: Database, catalogue: Catalogue, user: User, submission_id: str, answers: Sequence[tuple[str, Any]]
) -> list[Given]:
    """Mark and keep the answers (question, answer), all or none.

    Raises NotFound, Forbidden, Conflict, and Unprocessable when an answer does not have its question's form.
    """
    with database.write() as session:
        submission = _answerable(session, user, submission_id)
        # The same answers sent twice at one moment wait for each other: the second finds the first's and changes them.
        session.execute(select(Submission.id).where(Submission.id == submission.id).with_for_update(key_share=True))
        bank = catalogue.get(submission.challenge).questions
        marked = [Given(question, given, _mark(bank, user, question, given)) for question, given in answers]
        for item in marked:
            session.merge(
                Answer(
                    submission_id=submission.id,
                    question=item.question,
                    given=item.given,
                    mark=item.mark.model_dump(mode="json"),
                    given_at=now(),
                )
            )
    return marked


def _answerable(session: Session, user: User, submission_id: str) -> Submission:
    submission = find_own(session, user, submission_id)
    if submission.state is not State.GRADED:
        raise Conflict("The questions come after the verdict. This submission is not graded yet; wait and try again.")
    if submission.verdict is Verdict.REJECTED:
        raise Conflict("This submission could not be graded as sent, so it has no questions. Mend it and submit again.")
    return submission


def _mark(bank: QuestionBank, user: User, question: str, given: Any) -> Mark:
    try:
        return _variant(bank, user, question).mark(given)
    except AnswerFormatError as error:
        raise Unprocessable(f"{question}: {error}") from error


def _variant(bank: QuestionBank, user: User, question: str) -> Variant:
    try:
        return bank.variant(question, user.id)
    except KeyError:
        raise NotFound(
            f"This challenge has no question {question[:64]!r}. The list of questions has the names."
        ) from None
