"""What each student has in each assignment: the best submission by the assignment's own terms, and the questions."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.assignments.late_policy import days_late, kept_share
from app.assignments.service import find
from app.challenges.service import Catalogue
from app.courses.access import is_student_of, manager_access
from app.database import Database
from app.models import Answer, Assignment, Course, Enrollment, State, Submission, User
from app.questions.asked import bank_for, drawn_for, facts_by_student
from app.questions.scores import share_earned
from grader.questions import NO_FACTS, RunFacts
from grader.report import Verdict


class Graded(NamedTuple):
    """A graded submission with its score, before the assignment's terms apply."""

    id: str
    created_at: datetime
    verdict: Verdict | None
    score: float | None
    max_score: float | None


@dataclass(frozen=True)
class Counted:
    """The submission that counts for a student, with the points that it earns."""

    id: str
    created_at: datetime
    days_late: int
    verdict: Verdict | None
    score: float
    max_score: float
    points: float


@dataclass(frozen=True)
class Student:
    """A student, with the details that the course gave. `user` draws their questions."""

    user: User
    full_name: str | None
    email: str | None

    @property
    def id(self) -> str:
        """The id of the account."""
        return self.user.id

    @property
    def name(self) -> str:
        """The name of the account."""
        return self.user.name


@dataclass(frozen=True)
class GradebookRow:
    """A student's result in an assignment. `counted` is None when nothing of theirs is graded."""

    student: Student
    assignment: Assignment
    attempts: int
    counted: Counted | None
    question_points: float

    @property
    def points(self) -> float | None:
        """The points in all; None where nothing was sent, since no work is not the same as no points."""
        return None if self.counted is None else round(self.counted.points + self.question_points, 2)


@dataclass(frozen=True)
class Gradebook:
    """Students by name, assignments by due time, and a row for each pair, student by student."""

    course: Course
    students: Sequence[Student]
    assignments: Sequence[Assignment]
    lines: Sequence[GradebookRow]

    def by_student(self) -> Iterable[tuple[Student, Sequence[GradebookRow]]]:
        """Yields each student with their rows, one for each assignment."""
        width = len(self.assignments)
        for place, student in enumerate(self.students):
            yield student, self.lines[place * width : (place + 1) * width]


def points_max(assignment: Assignment) -> float:
    """Returns the most points that the assignment gives, questions included."""
    return assignment.points + assignment.question_points


def gradebook(database: Database, catalogue: Catalogue, user: User, course: str, assignment: str | None) -> Gradebook:
    """Returns the gradebook of a course, of one assignment or of all. Raises NotFound, Forbidden."""
    with database.read() as session:
        access = manager_access(session, user, course)
        assignments = [find(session, access, assignment)] if assignment else _assignments(session, access.course)
        students = _students(session, access.course)
        lines = {
            (student.id, each.id): line
            for each in assignments
            for student, line in zip(students, _lines(session, catalogue, each, students), strict=True)
        }
    return Gradebook(
        access.course,
        students,
        assignments,
        [lines[student.id, each.id] for student in students for each in assignments],
    )


def _assignments(session: Session, course: Course) -> list[Assignment]:
    query = select(Assignment).where(Assignment.course_id == course.id)
    return list(session.scalars(query.order_by(Assignment.due_at.is_(None), Assignment.due_at, Assignment.slug)))


def _students(session: Session, course: Course) -> list[Student]:
    people = select(User, Enrollment.full_name, Enrollment.email).join(Enrollment)
    query = people.where(is_student_of(course)).order_by(User.name)
    return [Student(*row) for row in session.execute(query)]


def _lines(
    session: Session, catalogue: Catalogue, assignment: Assignment, students: Sequence[Student]
) -> list[GradebookRow]:
    sent = _sent(session, assignment)
    answers = _answers(session, assignment) if assignment.question_points else {}
    facts = facts_by_student(session, assignment) if answers else {}
    return [
        GradebookRow(
            student=student,
            assignment=assignment,
            attempts=len(sent.get(student.id, ())),
            counted=max(
                (_counted(assignment, row) for row in sent.get(student.id, ())),
                key=lambda counted: counted.points,
                default=None,
            ),
            question_points=_question_points(
                catalogue, assignment, student.user, facts.get(student.id, NO_FACTS), answers.get(student.id, {})
            ),
        )
        for student in students
    ]


def _sent(session: Session, assignment: Assignment) -> dict[str, list[Graded]]:
    """What is graded, by student, the oldest first: of equals the first counts."""
    columns = (Submission.id, Submission.created_at, Submission.verdict, Submission.score, Submission.max_score)
    query = (
        select(Submission.user_id, *columns)
        .where(Submission.assignment_id == assignment.id, Submission.state == State.GRADED)
        .order_by(Submission.id)
    )
    sent: dict[str, list[Graded]] = {}
    for row in session.execute(query):
        sent.setdefault(row[0], []).append(Graded(*row[1:]))
    return sent


def _counted(assignment: Assignment, row: Graded) -> Counted:
    share = row.score / row.max_score if row.score and row.max_score else 0.0
    return Counted(
        id=row.id,
        created_at=row.created_at,
        days_late=days_late(assignment, row.created_at),
        verdict=row.verdict,
        score=row.score or 0.0,
        max_score=row.max_score or 0.0,
        points=round(assignment.points * share * kept_share(assignment, row.created_at), 4),
    )


def _answers(session: Session, assignment: Assignment) -> dict[str, dict[str, Answer]]:
    query = (
        select(Submission.user_id, Answer)
        .join(Submission, Submission.id == Answer.submission_id)
        .where(Submission.assignment_id == assignment.id)
        .order_by(Answer.given_at)
    )
    answers: dict[str, dict[str, Answer]] = {}
    for student, answer in session.execute(query):
        answers.setdefault(student, {})[answer.question] = answer
    return answers


def _question_points(
    catalogue: Catalogue, assignment: Assignment, student: User, facts: RunFacts, answers: Mapping[str, Answer]
) -> float:
    if not answers:
        return 0.0
    bank = bank_for(catalogue.get(assignment.challenge).questions, assignment)
    worth = bank.points(drawn_for(student, assignment), facts)
    return assignment.question_points * share_earned(assignment, answers, worth)
