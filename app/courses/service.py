"""What staff see of a course. Only students' submissions count; staff's own trials do not."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import case, func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from app import audit
from app.courses.access import managed_course, sent_by_students_of, staffed_course
from app.courses.schemas import Analytics, AssignmentFigures, ChallengeAnalytics, MisconceptionCount, Person, Roster
from app.database import Database
from app.identifiers import is_slug
from app.models import Assignment, Course, DiagnosedMisconception, Enrollment, Role, State, Submission, User
from app.problems import Conflict, Forbidden, Unprocessable
from grader.report import Verdict


class _Sent(NamedTuple):
    """What one student sent to an assignment, or without one to a challenge."""

    challenge: str
    assignment_id: str | None
    user_id: str
    submissions: int
    has_passed: int  # 0 or 1


@dataclass(frozen=True)
class CourseSummary:
    """A course in a list of all."""

    slug: str
    title: str
    students: int
    staff: int
    assignments: int


def create(database: Database, user: User, slug: str, title: str) -> Course:
    """For operators. Raises Forbidden, Unprocessable when the slug is not one, Conflict when it is taken."""
    if user.role is not Role.OPERATOR:
        raise Forbidden("Courses are created by the operators of this service.")
    if not is_slug(slug):
        raise Unprocessable(f"{slug[:64]!r} cannot name a course. Use small letters, digits and hyphens.")
    try:
        with database.write() as session:
            course = Course(slug=slug, title=title[:200])
            session.add(course)
            session.flush()
            audit.note(session, user, "course.create", slug, course, title=title)
            return course
    except IntegrityError as error:
        raise Conflict(f"There is a course {slug!r} already. Choose another name.") from error


def everything(database: Database) -> list[CourseSummary]:
    """Every course there is, by slug."""
    people = select(func.count()).where(Enrollment.course_id == Course.id)
    students = people.where(Enrollment.role == Role.STUDENT).scalar_subquery()
    staff = people.where(Enrollment.role != Role.STUDENT).scalar_subquery()
    asked = select(func.count()).where(Assignment.course_id == Course.id).scalar_subquery()
    query = select(Course.slug, Course.title, students, staff, asked).order_by(Course.slug)
    with database.read() as session:
        return [CourseSummary(*row) for row in session.execute(query)]


def roster(database: Database, user: User, slug: str) -> Roster:
    """Everybody in the course, by name. Raises NotFound, Forbidden."""
    with database.read() as session:
        course = staffed_course(session, user, slug)
        people = session.execute(
            select(User, Enrollment.role).join(Enrollment).where(Enrollment.course_id == course.id).order_by(User.name)
        ).all()
        counts = _counts_by_student(session, course)
        passed = _passed_by_student(session, course)
    return Roster(
        course=course.slug,
        items=[
            Person(
                id=person.id,
                name=person.name,
                full_name=person.full_name,
                email=person.email,
                role=role,
                submissions=counts.get(person.id, 0),
                passed=passed.get(person.id, []),
            )
            for person, role in people
        ],
    )


def analytics(database: Database, user: User, slug: str) -> Analytics:
    """How the course's students are doing, per challenge and per assignment. Raises NotFound, Forbidden."""
    with database.read() as session:
        course = staffed_course(session, user, slug)
        people = _people(session, course)
        return Analytics(
            course=course.slug,
            challenges=_by_challenge(session, course, people),
            assignments=_by_assignment(session, course, people),
        )


def refuse_all_but_managers(database: Database, user: User, slug: str) -> None:
    """For pages that show nothing by themselves. Raises NotFound, Forbidden."""
    with database.read() as session:
        managed_course(session, user, slug)


def _counts_by_student(session: Session, course: Course) -> dict[str, int]:
    query = select(Submission.user_id, func.count()).where(sent_by_students_of(course)).group_by(Submission.user_id)
    return dict(session.execute(query).all())


def _passed_by_student(session: Session, course: Course) -> dict[str, list[str]]:
    query = (
        select(Submission.user_id, Submission.challenge)
        .where(sent_by_students_of(course), Submission.verdict == Verdict.PASSED)
        .distinct()
        .order_by(Submission.challenge)
    )
    passed: dict[str, list[str]] = {}
    for user_id, challenge in session.execute(query):
        passed.setdefault(user_id, []).append(challenge)
    return passed


def _by_challenge(session: Session, course: Course, people: Sequence[_Sent]) -> list[ChallengeAnalytics]:
    endings = session.execute(
        select(Submission.challenge, Submission.state, Submission.verdict, func.count())
        .where(sent_by_students_of(course))
        .group_by(Submission.challenge, Submission.state, Submission.verdict)
    )
    states: dict[str, Counter[State]] = {}
    verdicts: dict[str, Counter[Verdict]] = {}
    for challenge, state, verdict, count in endings:
        states.setdefault(challenge, Counter())[state] += count
        counted = verdicts.setdefault(challenge, Counter())
        if verdict is not None:
            counted[verdict] += count
    misconceptions = _misconceptions(session, course)
    return [
        ChallengeAnalytics(
            challenge=challenge,
            submissions=states[challenge].total(),
            students=len({one.user_id for one in people if one.challenge == challenge}),
            students_passed=len({one.user_id for one in people if one.challenge == challenge and one.has_passed}),
            states=dict(states[challenge]),
            verdicts=dict(verdicts[challenge]),
            misconceptions=misconceptions.get(challenge, []),
        )
        for challenge in sorted(states)
    ]


def _by_assignment(session: Session, course: Course, people: Sequence[_Sent]) -> list[AssignmentFigures]:
    slugs = dict(session.execute(select(Assignment.id, Assignment.slug).where(Assignment.course_id == course.id)).all())
    return [
        AssignmentFigures(
            assignment=slugs[assignment_id],
            submissions=sum(one.submissions for one in people if one.assignment_id == assignment_id),
            students=sum(one.assignment_id == assignment_id for one in people),
            students_passed=sum(one.assignment_id == assignment_id and one.has_passed for one in people),
        )
        for assignment_id in sorted(slugs, key=slugs.__getitem__)
        if any(one.assignment_id == assignment_id for one in people)
    ]


def _people(session: Session, course: Course) -> list[_Sent]:
    """Grouped once by student: to count different ones takes the database a sort of everything."""
    columns = (Submission.challenge, Submission.assignment_id, Submission.user_id)
    passed = func.max(case((Submission.verdict == Verdict.PASSED, 1), else_=0))
    query = select(*columns, func.count(), passed).where(sent_by_students_of(course)).group_by(*columns)
    return [_Sent(*row) for row in session.execute(query)]


def _misconceptions(session: Session, course: Course) -> dict[str, list[MisconceptionCount]]:
    """By challenge, most students first."""
    found = DiagnosedMisconception
    columns = (Submission.challenge, found.misconception)
    of_each = (
        select(*columns, Submission.user_id, func.max(found.title).label("title"), func.count().label("submissions"))
        .join(Submission, Submission.id == found.submission_id)
        .where(sent_by_students_of(course))
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
    counts: dict[str, list[MisconceptionCount]] = {}
    for challenge, name, title, people, count in session.execute(query):
        counts.setdefault(challenge, []).append(
            MisconceptionCount(id=name, title=title, students=people, submissions=count)
        )
    return counts
