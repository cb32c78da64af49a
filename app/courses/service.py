"""What staff see of a course. Only students' submissions count; staff's own trials do not."""

from dataclasses import dataclass

from sqlalchemy import Select, func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from app import audit
from app.courses.access import sent_by_students_of, staffed_course
from app.courses.schemas import Analytics, ChallengeAnalytics, MisconceptionCount, Person, Roster
from app.database import Database
from app.identifiers import is_slug
from app.models import Assignment, Course, DiagnosedMisconception, Enrollment, Role, Submission, User
from app.problems import Conflict, Forbidden, Unprocessable
from grader.report import Verdict


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
    """How the course's students are doing, per challenge. Raises NotFound, Forbidden."""
    with database.read() as session:
        course = staffed_course(session, user, slug)
        query = (
            select(Submission.challenge).where(sent_by_students_of(course)).distinct().order_by(Submission.challenge)
        )
        challenges = session.scalars(query).all()
        return Analytics(
            course=course.slug, challenges=[_analyze(session, course, challenge) for challenge in challenges]
        )


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


def _analyze(session: Session, course: Course, challenge: str) -> ChallengeAnalytics:
    mine = (sent_by_students_of(course), Submission.challenge == challenge)
    students = func.count(Submission.user_id.distinct())
    submissions, people = session.execute(select(func.count(), students).where(*mine)).one()
    states = session.execute(select(Submission.state, func.count()).where(*mine).group_by(Submission.state))
    verdicts = session.execute(
        select(Submission.verdict, func.count())
        .where(*mine, Submission.verdict.is_not(None))
        .group_by(Submission.verdict)
    )
    return ChallengeAnalytics(
        challenge=challenge,
        submissions=submissions,
        students=people,
        students_passed=session.scalar(select(students).where(*mine, Submission.verdict == Verdict.PASSED)) or 0,
        states=dict(states.all()),
        verdicts={verdict: count for verdict, count in verdicts if verdict is not None},
        misconceptions=_misconceptions(session, select(Submission.id).where(*mine)),
    )


def _misconceptions(session: Session, submissions: Select[str]) -> list[MisconceptionCount]:
    """Most students first."""
    students = func.count(Submission.user_id.distinct())
    query = (
        select(DiagnosedMisconception.misconception, func.max(DiagnosedMisconception.title), students, func.count())
        .join(Submission, Submission.id == DiagnosedMisconception.submission_id)
        .where(Submission.id.in_(submissions))
        .group_by(DiagnosedMisconception.misconception)
        .order_by(students.desc(), DiagnosedMisconception.misconception)
    )
    return [
        MisconceptionCount(id=name, title=title, students=people, submissions=count)
        for name, title, people, count in session.execute(query)
    ]
