"""What staff see of a course. Only students' submissions count; staff's own trials do not."""

from collections import Counter
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Select, case, func, select
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

# How many different students, and how many of them have passed.
_PEOPLE: Final = (
    func.count(Submission.user_id.distinct()),
    func.count(case((Submission.verdict == Verdict.PASSED, Submission.user_id)).distinct()),
)


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
        return Analytics(
            course=course.slug, challenges=_by_challenge(session, course), assignments=_by_assignment(session, course)
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


def _by_challenge(session: Session, course: Course) -> list[ChallengeAnalytics]:
    mine = sent_by_students_of(course)
    endings = session.execute(
        select(Submission.challenge, Submission.state, Submission.verdict, func.count())
        .where(mine)
        .group_by(Submission.challenge, Submission.state, Submission.verdict)
    )
    states: dict[str, Counter[State]] = {}
    verdicts: dict[str, Counter[Verdict]] = {}
    for challenge, state, verdict, count in endings:
        states.setdefault(challenge, Counter())[state] += count
        counted = verdicts.setdefault(challenge, Counter())
        if verdict is not None:
            counted[verdict] += count
    students = session.execute(
        select(Submission.challenge, *_PEOPLE).where(mine).group_by(Submission.challenge).order_by(Submission.challenge)
    ).all()
    misconceptions = _misconceptions(session, select(Submission.id).where(mine))
    return [
        ChallengeAnalytics(
            challenge=challenge,
            submissions=states[challenge].total(),
            students=people,
            students_passed=passed,
            states=dict(states[challenge]),
            verdicts=dict(verdicts[challenge]),
            misconceptions=misconceptions.get(challenge, []),
        )
        for challenge, people, passed in students
    ]


def _by_assignment(session: Session, course: Course) -> list[AssignmentFigures]:
    rows = session.execute(
        select(Assignment.slug, func.count(), *_PEOPLE)
        .join(Submission, Submission.assignment_id == Assignment.id)
        .where(Assignment.course_id == course.id, sent_by_students_of(course))
        .group_by(Assignment.slug)
        .order_by(Assignment.slug)
    )
    return [
        AssignmentFigures(assignment=slug, submissions=count, students=people, students_passed=passed)
        for slug, count, people, passed in rows
    ]


def _misconceptions(session: Session, submissions: Select[str]) -> dict[str, list[MisconceptionCount]]:
    """By challenge, most students first."""
    students = func.count(Submission.user_id.distinct())
    found = DiagnosedMisconception
    query = (
        select(Submission.challenge, found.misconception, func.max(found.title), students, func.count())
        .join(Submission, Submission.id == found.submission_id)
        .where(Submission.id.in_(submissions))
        .group_by(Submission.challenge, found.misconception)
        .order_by(students.desc(), found.misconception)
    )
    counts: dict[str, list[MisconceptionCount]] = {}
    for challenge, name, title, people, count in session.execute(query):
        counts.setdefault(challenge, []).append(
            MisconceptionCount(id=name, title=title, students=people, submissions=count)
        )
    return counts
