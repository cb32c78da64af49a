"""Reading an answer and giving it points. The first reader's points count; a second one's are only compared."""

from dataclasses import dataclass
from textwrap import shorten

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app import audit
from app.assignments.late_policy import days_late
from app.assignments.terms import terms_for
from app.challenges.service import Catalogue
from app.courses.access import access_to, staffed_course
from app.database import Database
from app.identifiers import is_id
from app.models import Answer, Course, HumanGrade, Submission, User, now
from app.problems import Conflict, NotFound, Unprocessable
from app.reviews.queue import SHOWN, ReviewFilter, answers_in, free_texts, groups, narrowed, neighbours, page
from app.reviews.schemas import (
    ConceptView,
    GivenPoints,
    KeptComment,
    PointsIn,
    ReadingView,
    ReviewItem,
    ReviewPage,
    ReviewView,
    Stand,
)
from app.rows import hold
from grader.questions import Mark, MarkStatus
from grader.questions.sections import TextSection

BEGINNING = 120
COMMENTS_SHOWN = 12
CHANGED = (
    "This answer has changed: someone else has marked it, or the student has sent a new one. Your points "
    "were not saved; reload the page and look again."
)


@dataclass(frozen=True)
class Text:
    """A free text, and the question that it answers."""

    row: Answer
    section: TextSection

    @property
    def challenge(self) -> str:
        """The challenge of the submission."""
        return self.row.submission.challenge

    @property
    def given(self) -> str:
        """The text that the student wrote."""
        return str(self.row.given)

    def grade(self, place: int) -> HumanGrade | None:
        """Returns the first (1) or second (2) human grade; None when it was not given."""
        return next((grade for grade in self.row.human_grades if grade.place == place), None)


def list_page(
    database: Database,
    catalogue: Catalogue,
    user: User,
    course: str,
    wanted: ReviewFilter,
    cursor: str | None = None,
    limit: int = 50,
) -> ReviewPage:
    """Returns a page of answers to review. Raises NotFound, Forbidden, and Unprocessable when the
    cursor is not ours.
    """
    with database.read() as session:
        everything = answers_in(staffed_course(session, user, course), catalogue)
        rows, following = page(session, narrowed(everything, wanted, user), cursor, limit)
        by_question = groups(session, everything, user)
    sections = free_texts(catalogue)
    is_blind = wanted.state is Stand.SECOND
    items = [_item(Text(row, sections[row.submission.challenge, row.question]), is_blind) for row in rows]
    return ReviewPage(questions=by_question, items=items, next_cursor=following)


def read(
    database: Database,
    catalogue: Catalogue,
    user: User,
    course: str,
    review_id: str,
    wanted: ReviewFilter,
    *,
    as_second: bool = False,
) -> ReviewView:
    """Returns an answer, and the ones before and after it in the filter. Raises NotFound, Forbidden."""
    with database.read() as session:
        place = staffed_course(session, user, course)
        text = _find(session, place, catalogue, review_id)
        before, after = neighbours(session, narrowed(answers_in(place, catalogue), wanted, user), text.row)
        is_blind = as_second and all(grade.reader_id != user.id for grade in text.row.human_grades)
        comments = _comments(session, place, catalogue, text, is_blind)
    return ReviewView(
        **dict(_item(text, is_blind)),
        version=text.row.version,
        prompt=text.row.asked or text.section.prompt,
        answer=text.given,
        rubric=[ConceptView(concept=item.concept, points=item.points) for item in text.section.rubric],
        given=[
            ReadingView.of(row, reader=row.reader.name, is_mine=row.reader_id == user.id)
            for row in text.row.human_grades
            if not is_blind
        ],
        comments=comments,
        previous=before,
        next=after,
    )


def text_of(database: Database, catalogue: Catalogue, user: User, course: str, review_id: str) -> Text:
    """Returns a free text with its question. Raises NotFound, Forbidden."""
    with database.read() as session:
        return _find(session, staffed_course(session, user, course), catalogue, review_id)


def give_points(
    database: Database, catalogue: Catalogue, user: User, course: str, review_id: str, sent: PointsIn
) -> None:
    """Stores a human grade. Raises NotFound, Forbidden, Unprocessable, and Conflict when the answer has changed since
    it was read.
    """
    with database.write() as session:
        place = staffed_course(session, user, course)
        hold(session, Answer.id, review_id)
        text = _find(session, place, catalogue, review_id)
        points = _checked(text.section, sent.points)
        if text.row.version != sent.version:
            raise Conflict(CHANGED)
        number = 2 if sent.second else 1
        before = text.grade(number)
        _may_read(text, user, number)
        grade = before or HumanGrade(answer_id=review_id, place=number)
        was = before.score if before else None
        grade.reader_id, grade.role = user.id, access_to(session, user, course).role
        grade.points = [item.model_dump() for item in points]
        grade.score = round(sum(item.points for item in points), 2)
        grade.comment, grade.read_at = sent.comment.strip(), now()
        session.add(grade)
        text.row.version += 1
        if number == 1:
            text.row.mark = _mark(text.section, grade).model_dump(mode="json")
        audit.note(
            session, user, "answer.mark", review_id, place,
            challenge=text.challenge, question=text.row.question, reader=number, points=[was, grade.score],
        )  # fmt: skip


def _find(session: Session, course: Course, catalogue: Catalogue, review_id: str) -> Text:
    query = answers_in(course, catalogue).options(*SHOWN).where(Answer.id == review_id)
    row = session.scalar(query) if is_id(review_id) else None
    if row is None:
        raise NotFound("There is no such answer in this course. See the list of answers to review.")
    return Text(row, free_texts(catalogue)[row.submission.challenge, row.question])


def _checked(section: TextSection, points: list[float]) -> list[GivenPoints]:
    """Raises Unprocessable."""
    if len(points) != len(section.rubric):
        raise Unprocessable(f"points: give {len(section.rubric)} numbers, one for each concept of the rubric in order.")
    for number, (given, item) in enumerate(zip(points, section.rubric, strict=True), start=1):
        if given > item.points:
            raise Unprocessable(f"points: concept {number} is worth at most {item.points:g}, not {given:g}.")
    return [
        GivenPoints(concept=item.concept, points=given, max_points=item.points)
        for given, item in zip(points, section.rubric, strict=True)
    ]


def _may_read(text: Text, user: User, number: int) -> None:
    """The two readers are two people."""
    one, other = text.grade(1), text.grade(2)
    if number == 2 and one is None:
        raise Conflict("This answer has not been marked yet. Mark it as the first reader.")
    if number == 2 and one is not None and one.reader_id == user.id:
        raise Conflict("You marked this answer yourself. The second reader must be someone else.")
    if number == 2 and other is not None and other.reader_id != user.id:
        raise Conflict("This answer already has a second reader.")
    if number == 1 and other is not None and other.reader_id == user.id:
        raise Conflict("You are the second reader of this answer. Someone else must change its points.")


def _mark(section: TextSection, grade: HumanGrade) -> Mark:
    full = grade.score >= section.points
    status = MarkStatus.CORRECT if full else MarkStatus.PARTIAL if grade.score > 0 else MarkStatus.INCORRECT
    return Mark(status=status, score=grade.score, max_score=section.points, feedback=grade.comment)


def _comments(session: Session, course: Course, catalogue: Catalogue, text: Text, is_blind: bool) -> list[KeptComment]:
    """Those most used first; blind: without what was said of this answer."""
    mine = answers_in(course, catalogue).where(
        Submission.challenge == text.challenge, Answer.question == text.row.question
    )
    if is_blind:
        mine = mine.where(Answer.id != text.row.id)
    used = func.count()
    rows = session.execute(
        select(HumanGrade.comment, used)
        .where(HumanGrade.answer_id.in_(mine.with_only_columns(Answer.id)), HumanGrade.comment != "")
        .group_by(HumanGrade.comment)
        .order_by(used.desc(), func.max(HumanGrade.read_at).desc())
        .limit(COMMENTS_SHOWN)
    )
    return [KeptComment(text=comment, used=count) for comment, count in rows]


def _item(text: Text, is_blind: bool) -> ReviewItem:
    """Blind: without what was given."""
    row, one = text.row, text.grade(1)
    assignment, terms = row.submission.assignment, terms_for(row.submission)
    return ReviewItem.of(
        row,
        challenge=text.challenge,
        assignment=assignment.slug if assignment else None,
        beginning=shorten(text.given, BEGINNING, placeholder="…"),
        is_late=days_late(terms, row.given_at) > 0,
        readings=len(row.human_grades),
        score=one.score if one and not is_blind else None,
        max_score=text.section.points,
    )
