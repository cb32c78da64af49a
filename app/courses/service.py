"""What staff see of a course. Only students' submissions count; staff's own trials do not."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple, TypeVar

from sqlalchemy import ColumnElement, case, func, select
from sqlalchemy.orm import Session

from app.assignments.service import all_of
from app.courses.access import access_to, managed_course, sent_by_students_of, staffed_course
from app.courses.people import enrolled_in
from app.courses.schemas import Analytics, AssignmentFigures, ChallengeAnalytics, MisconceptionCount, Person, Roster
from app.database import Database
from app.gradebook.people import sections_of
from app.invitations.people import access_in
from app.models import Assignment, Course, DiagnosedMisconception, Enrollment, Role, State, Submission, User
from grader.grouping import grouped
from grader.report import Verdict

ChoiceT = TypeVar("ChoiceT", bound=StrEnum)


class _Sent(NamedTuple):
    """What one student sent to a challenge, and what became of so many of it."""

    challenge: str
    user_id: str
    state: State
    verdict: Verdict | None
    submissions: int

    @property
    def has_passed(self) -> bool:
        """Whether the submission passed."""
        return self.verdict is Verdict.PASSED


@dataclass(frozen=True)
class CourseSummary:
    """A course in a list of all."""

    slug: str
    title: str
    students: int
    staff: int
    assignments: int
    archived_at: datetime | None


def everything(database: Database) -> list[CourseSummary]:
    """Returns every course, by slug, those that are archived last."""
    people = select(func.count()).where(Enrollment.course_id == Course.id)
    students = people.where(Enrollment.role == Role.STUDENT).scalar_subquery()
    staff = people.where(Enrollment.role != Role.STUDENT).scalar_subquery()
    asked = select(func.count()).where(Assignment.course_id == Course.id).scalar_subquery()
    query = select(Course.slug, Course.title, students, staff, asked, Course.archived_at)
    query = query.order_by(Course.archived_at.is_not(None), Course.slug)
    with database.read() as session:
        return [CourseSummary(*row) for row in session.execute(query)]


def visible_to(database: Database, user: User) -> list[Course]:
    """Returns the courses of a person, and every course to operators, by slug."""
    query = select(Course).order_by(Course.slug)
    if user.role is not Role.OPERATOR:
        query = query.where(Course.id.in_(select(Enrollment.course_id).where(Enrollment.user_id == user.id)))
    with database.read() as session:
        return list(session.scalars(query))


def read(database: Database, user: User, slug: str) -> Course:
    """Returns a course to everybody who is in it. Raises NotFound."""
    with database.read() as session:
        return access_to(session, user, slug).course


def roster(
    database: Database,
    user: User,
    slug: str,
    *,
    search: str = "",
    cursor: str | None = None,
    limit: int | None = None,
) -> Roster:
    """Returns a page of the people in the course, by name, with the details of its own rosters. `search` is a part of a
    name or an address, `cursor` the name that the page before ended with. Raises NotFound, Forbidden.
    """
    wanted = search.strip().casefold()
    with database.read() as session:
        course = staffed_course(session, user, slug)
        fitting = [
            person
            for person in sorted(enrolled_in(session, course), key=lambda person: person.name)
            if wanted in f"{person.name} {person.full_name or ''} {person.email or ''}".casefold()
        ]
        rest = [person for person in fitting if cursor is None or person.name > cursor]
        people = rest if limit is None else rest[:limit]
        ids = [person.user_id for person in people]
        access = access_in(session, course, ids)
        sent = _sent(session, course, None if len(ids) == len(fitting) else Submission.user_id.in_(ids))
    sent_by = grouped((row.user_id, row) for row in sent)
    return Roster(
        course=course.slug,
        items=[
            Person.of(
                person,
                id=person.user_id,
                submissions=sum(row.submissions for row in sent_by.get(person.user_id, ())),
                passed=sorted({row.challenge for row in sent_by.get(person.user_id, ()) if row.has_passed}),
                access=access[person.user_id],
            )
            for person in people
        ],
        total=len(fitting),
        next_cursor=people[-1].name if len(people) < len(rest) else None,
    )


def analytics(database: Database, user: User, slug: str) -> Analytics:
    """Returns the figures of the course's students per challenge and per assignment. Raises NotFound, Forbidden."""
    with database.read() as session:
        course = staffed_course(session, user, slug)
        sent = _sent(session, course)
        return Analytics(
            course=course.slug,
            challenges=_by_challenge(session, course, sent),
            assignments=_by_assignment(session, course, all_of(session, course.id)),
        )


def figures_in(session: Session, course: Course, assignments: Sequence[Assignment]) -> Analytics:
    """Returns `analytics`, but only the challenges that no assignment asks for: an assignment has pages of its own."""
    asked = {assignment.challenge for assignment in assignments}
    return Analytics(
        course=course.slug,
        challenges=_by_challenge(session, course, _sent(session, course, Submission.challenge.not_in(asked))),
        assignments=_by_assignment(session, course, assignments),
    )


def sections(database: Database, user: User, slug: str) -> list[str]:
    """Returns the sections that the course's students are in, by name. Raises NotFound, Forbidden."""
    with database.read() as session:
        return sections_of(session, staffed_course(session, user, slug))


def refuse_all_but_staff(database: Database, user: User, slug: str) -> None:
    """Checks access before anything else is looked at. Raises NotFound, Forbidden."""
    with database.read() as session:
        staffed_course(session, user, slug)


def refuse_all_but_managers(database: Database, user: User, slug: str) -> None:
    """Checks access for pages that read no data of their own. Raises NotFound, Forbidden."""
    with database.read() as session:
        managed_course(session, user, slug)


def _sent(session: Session, course: Course, whose: ColumnElement[bool] | None = None) -> list[_Sent]:
    """Grouped once by student: to count different ones takes the database a sort of everything."""
    columns = (Submission.challenge, Submission.user_id, Submission.state, Submission.verdict)
    query = select(*columns, func.count()).where(sent_by_students_of(course)).group_by(*columns)
    query = query if whose is None else query.where(whose)
    return [_Sent(*row) for row in session.execute(query)]


def _by_challenge(session: Session, course: Course, sent: Sequence[_Sent]) -> list[ChallengeAnalytics]:
    by_challenge = grouped((row.challenge, row) for row in sent)
    misconceptions = _misconceptions(session, course, by_challenge.keys()) if by_challenge else {}
    return [
        ChallengeAnalytics(
            challenge=challenge,
            submissions=sum(row.submissions for row in rows),
            students=len({row.user_id for row in rows}),
            students_passed=len({row.user_id for row in rows if row.has_passed}),
            states=counted((row.state, row.submissions) for row in rows),
            verdicts=counted((row.verdict, row.submissions) for row in rows),
            misconceptions=misconceptions.get(challenge, []),
        )
        for challenge, rows in sorted(by_challenge.items())
    ]


def counted(pairs: Iterable[tuple[ChoiceT | None, int]]) -> dict[ChoiceT, int]:
    """Adds up how many there are of each choice; what has none is left out."""
    counts: Counter[ChoiceT] = Counter()
    for choice, count in pairs:
        if choice is not None:
            counts[choice] += count
    return dict(counts)


def _by_assignment(session: Session, course: Course, assignments: Sequence[Assignment]) -> list[AssignmentFigures]:
    """Of those that somebody sent something to, by slug. Counted by student first, as everywhere, and added up by the
    database: a class of thousands has a row for each of its students in each assignment.
    """
    place = (Submission.assignment_id, Submission.user_id)
    has_passed = func.max(case((Submission.verdict == Verdict.PASSED, 1), else_=0))
    each = (
        select(*place, func.count().label("sent"), has_passed.label("has_passed"))
        .where(sent_by_students_of(course), Submission.assignment_id.is_not(None))
        .group_by(*place)
        .subquery()
        .c
    )
    query = select(each.assignment_id, func.sum(each.sent), func.count(), func.sum(each.has_passed))
    found = {key: counts for key, *counts in session.execute(query.group_by(each.assignment_id))}
    return [
        AssignmentFigures(
            assignment=assignment.slug,
            submissions=found[assignment.id][0],
            students=found[assignment.id][1],
            students_passed=found[assignment.id][2],
        )
        for assignment in sorted(assignments, key=lambda one: one.slug)
        if assignment.id in found
    ]


def _misconceptions(
    session: Session, course: Course, challenges: Collection[str]
) -> dict[str, list[MisconceptionCount]]:
    """By challenge, most students first."""
    found = DiagnosedMisconception
    columns = (Submission.challenge, found.misconception)
    of_each = (
        select(*columns, Submission.user_id, func.max(found.title).label("title"), func.count().label("submissions"))
        .join(Submission, Submission.id == found.submission_id)
        .where(sent_by_students_of(course), Submission.challenge.in_(challenges))
        .group_by(*columns, Submission.user_id)
        .subquery()
    )
    students = func.count()
    query = (
        select(
            of_each.c.challenge,
            of_each.c.misconception,
            func.max(of_each.c.title),
            students,
            func.sum(of_each.c.submissions),
        )
        .group_by(of_each.c.challenge, of_each.c.misconception)
        .order_by(students.desc(), of_each.c.misconception)
    )
    return grouped(
        (challenge, MisconceptionCount(id=name, title=title, students=people, submissions=count))
        for challenge, name, title, people, count in session.execute(query)
    )
