"""Marking and keeping answers.

Whether an answer is taken is decided by what was known before the request, for all of its questions before any is
marked; what it earned is told only once it has been counted. Marking happens between two transactions, so that nobody
waits for it; the second one decides again, while the student's other answers wait.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy.orm import Session

from app.assignments.terms import terms_for
from app.challenges.service import Catalogue
from app.database import Database
from app.jobs.transitions import new_job, withdraw
from app.models import Answer, Job, Submission, User, now
from app.problems import Conflict, NotFound, Unavailable, Unprocessable
from app.questions.asked import bank_for, drawn_for, facts_of
from app.questions.policy import Policy
from app.questions.service import Asked, answerable, answers_of, asked_of, last_answer, words_of
from app.rows import hold
from grader.messages import JobKind
from grader.questions import AnswerFormatError, LineVariant, Mark, QuestionBank, RunFacts, Variant

TRIES: Final = 3  # a student's first pass may be recorded meanwhile, and change what they are asked; once


@dataclass(frozen=True)
class _Known:
    """What is known at one moment of a student's answers."""

    submission: Submission
    policy: Policy
    kept: Mapping[str, Answer]
    facts: RunFacts


@dataclass(frozen=True)
class _Given:
    """An answer of the request, and the question it is to."""

    variant: Variant
    given: Any

    @property
    def question(self) -> str:
        """The question's id."""
        return self.variant.view.id


def answer(
    database: Database, catalogue: Catalogue, user: User, submission_id: str, answers: Sequence[tuple[str, Any]]
) -> list[Asked]:
    """Marks and keeps the answers (question, answer), all or none.

    Raises NotFound, Forbidden, Conflict when an answer is not taken, and Unprocessable when one does not have its
    question's form or a question is answered twice.
    """
    _refuse_twice([question for question, _ in answers])
    for _ in range(TRIES):
        with database.read() as session:
            before = _known(session, user, submission_id)
        bank = bank_for(catalogue.get(before.submission.challenge).questions, before.submission.assignment)
        given = [_given(bank, user, before, question, what) for question, what in answers]
        _refuse(bank, before, given)
        marks = {each.question: _mark(each) for each in given}
        with database.write() as session:
            _lock_student(session, user)
            known = _known(session, user, submission_id, for_update=True)
            if known.facts == before.facts:
                _refuse(bank, known, given)
                rows = [_keep(session, known, each, marks[each.question]) for each in given]
                return [asked_of(known.policy, bank, each.variant, row) for each, row in zip(given, rows, strict=True)]
    raise Unavailable("Your submissions are being recorded right now. Send your answers again.")


def _known(session: Session, user: User, submission_id: str, *, for_update: bool = False) -> _Known:
    submission = answerable(session, user, submission_id)
    return _Known(
        submission,
        Policy(terms_for(submission), now()),
        answers_of(session, user.id, submission.challenge, submission.assignment, for_update=for_update),
        facts_of(session, user.id, submission.challenge, submission.assignment),
    )


def _lock_student(session: Session, user: User) -> None:
    """A student's answers wait for each other, so that each is counted before the next, and for who reads them."""
    hold(session, User.id, user.id, key_share=True)


def _refuse_twice(questions: Sequence[str]) -> None:
    if len(set(questions)) < len(questions):
        twice = next(question for question in questions if questions.count(question) > 1)
        raise Unprocessable(f"{twice[:64]!r} is answered twice in this request. Send one answer for each question.")


def _refuse(bank: QuestionBank, known: _Known, given: Sequence[_Given]) -> None:
    """Before anything is marked: a refusal tells nothing of the answers that it refuses."""
    for each in given:
        before = last_answer(known.policy, each.variant, known.kept)
        if _is_kept(before, each):
            continue  # nothing will change
        refusal = known.policy.refusal_of(each.question, bank, before)
        if refusal is not None:
            raise Conflict(f"{each.question}: {refusal}")


def _is_kept(before: Answer | None, each: _Given) -> bool:
    """The same answer sent again, perhaps by a network, changes nothing, unless the service has given up on it."""
    if before is None or before.given != each.given:
        return False
    return not before.is_given_up


def _given(bank: QuestionBank, user: User, known: _Known, question: str, given: Any) -> _Given:
    try:
        return _Given(
            bank.variant(question, drawn_for(user.question_seed, known.submission.assignment), known.facts), given
        )
    except KeyError:
        raise NotFound(
            f"This challenge has no question {question[:64]!r}. See the list of questions for their names."
        ) from None


def _mark(each: _Given) -> Mark:
    try:
        return each.variant.mark(each.given)
    except AnswerFormatError as error:
        raise Unprocessable(f"{each.question}: {error}") from error


def _keep(session: Session, known: _Known, each: _Given, mark: Mark) -> Answer:
    """The row with the new answer in it."""
    before = last_answer(known.policy, each.variant, known.kept)
    if before is not None and _is_kept(before, each):
        return before
    row = known.kept.get(each.question) or Answer(
        submission_id=known.submission.id, question=each.question, tries=0, version=0, human_grades=[]
    )
    row.asked, row.given, row.mark = words_of(each.variant.view), each.given, mark.model_dump(mode="json")
    row.given_at = known.policy.moment
    row.tries += 1
    row.version += 1
    session.add(row)
    _check_anew(session, row, each)
    return row


def _check_anew(session: Session, row: Answer, each: _Given) -> None:
    """A line of code is run by a judge. What an earlier answer came to nobody wants to know any more."""
    if row.job_id is not None:
        withdraw(session, Job.id == row.job_id)
    row.job = new_job(JobKind.CHECK, row.submission_id) if isinstance(each.variant, LineVariant) else None
