"""Which answers a course's staff have to read, in their order: by question, then as they came."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Integer, Select, and_, cast, func, select, tuple_
from sqlalchemy.orm import Session, aliased, joinedload, selectinload

from app.challenges.service import Catalogue
from app.courses.access import sent_by_students_of
from app.models import Answer, Assignment, Course, HumanGrade, Submission, User
from app.problems import Unprocessable
from app.request_values import STRANGE_CURSOR, Short, check_cursor
from app.reviews.agreement import Pair, agreement
from app.reviews.schemas import AgreementView, QuestionGroup, Stand
from app.rows import page_of
from grader.questions import Kind
from grader.questions.sections import TextSection

Name = tuple[str, str]  # challenge and question
PLACE = (Submission.challenge, Answer.question, Answer.id)
first, second = aliased(HumanGrade), aliased(HumanGrade)


@dataclass(frozen=True)
class ReviewFilter:
    """Which answers to review; None is any."""

    challenge: Short = None
    assignment: Short = None
    question: Short = None
    state: Stand | None = None


def free_texts(catalogue: Catalogue) -> Mapping[Name, TextSection]:
    """Returns the questions that people mark."""
    return {
        (entry.slug, section.id): section
        for entry in catalogue
        for section in entry.questions.sections
        if section.kind is Kind.TEXT
    }


def answers_in(course: Course, catalogue: Catalogue) -> Select[Any]:
    """Selects the free-text answers of a course's students."""
    return (
        select(Answer)
        .join(Submission, Answer.submission_id == Submission.id)
        .outerjoin(first, and_(first.answer_id == Answer.id, first.place == 1))
        .outerjoin(second, and_(second.answer_id == Answer.id, second.place == 2))
        .where(
            sent_by_students_of(course),
            tuple_(Submission.challenge, Answer.question).in_(list(free_texts(catalogue))),
        )
    )


def narrowed(query: Select[Any], wanted: ReviewFilter, user: User) -> Select[Any]:
    """Narrows `answers_in` to the filter."""
    if wanted.challenge is not None:
        query = query.where(Submission.challenge == wanted.challenge)
    if wanted.assignment is not None:
        query = query.where(Submission.assignment.has(Assignment.slug == wanted.assignment))
    if wanted.question is not None:
        query = query.where(Answer.question == wanted.question)
    return query if wanted.state is None else query.where(stands(user)[wanted.state])


def stands(user: User) -> dict[Stand, ColumnElement[bool]]:
    """Returns the condition of each review state, on `answers_in`."""
    return {
        Stand.WAITING: first.reader_id.is_(None),
        Stand.MARKED: first.reader_id.is_not(None),
        Stand.SECOND: and_(first.reader_id != user.id, second.reader_id.is_(None)),
        Stand.DIFFERING: first.score != second.score,
    }


def page(session: Session, query: Select[Any], cursor: str | None, limit: int) -> tuple[Sequence[Answer], str | None]:
    """Returns a page of answers, and the cursor of the next one. Raises Unprocessable when the cursor is not ours."""
    if cursor is not None:
        query = query.where(tuple_(*PLACE) > _place_of(session, cursor))
    query = query.options(*SHOWN).order_by(*PLACE).limit(limit + 1)
    return page_of(session.scalars(query).all(), limit)


def neighbours(session: Session, query: Select[Any], answer: Answer) -> tuple[str | None, str | None]:
    """Returns the ids of the answers before and after this one."""
    here = tuple_(answer.submission.challenge, answer.question, answer.id)
    ids = query.with_only_columns(Answer.id)
    before = session.scalar(ids.where(tuple_(*PLACE) < here).order_by(*(column.desc() for column in PLACE)).limit(1))
    after = session.scalar(ids.where(tuple_(*PLACE) > here).order_by(*PLACE).limit(1))
    return before, after


def groups(session: Session, query: Select[Any], user: User) -> list[QuestionGroup]:
    """Returns, for each question, how many answers are in each state, and how far readers agree."""
    counts = [func.coalesce(func.sum(cast(is_so, Integer)), 0) for is_so in stands(user).values()]
    rows = session.execute(query.with_only_columns(*PLACE[:2], *counts).group_by(*PLACE[:2]).order_by(*PLACE[:2])).all()
    pairs = _pairs(session, query)
    found = []
    for challenge, question, *counted in rows:
        agreed = agreement(pairs.get((challenge, question), []))
        view = AgreementView.model_validate(agreed) if agreed else None
        counts_by_name = dict(zip(stands(user), counted, strict=True))
        found.append(QuestionGroup(challenge=challenge, question=question, agreement=view, **counts_by_name))
    return found


def _pairs(session: Session, query: Select[Any]) -> dict[Name, list[Pair]]:
    pairs: dict[Name, list[Pair]] = {}
    rows = session.execute(
        query.with_only_columns(*PLACE[:2], first.points, second.points).where(second.reader_id.is_not(None))
    )
    for challenge, question, one, other in rows:
        shares = ([item["points"] / item["max_points"] for item in points] for points in (one, other))
        pairs.setdefault((challenge, question), []).extend(zip(*shares, strict=False))
    return pairs


def _place_of(session: Session, cursor: str) -> Any:
    check_cursor(cursor)
    row = session.execute(select(*PLACE).join(Submission).where(Answer.id == cursor)).one_or_none()
    if row is None:
        raise Unprocessable(STRANGE_CURSOR)
    return tuple_(*row)


SHOWN = (
    joinedload(Answer.submission).joinedload(Submission.assignment),
    joinedload(Answer.submission).selectinload(Submission.exceptions),
    selectinload(Answer.human_grades).joinedload(HumanGrade.reader),
)
