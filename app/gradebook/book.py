"""What each student has in each assignment: the submission that counts by their terms, the questions, and overrides."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from sqlalchemy import case, func, select
from sqlalchemy.orm import Session

from app.assignments.attempts import WITHDRAWN
from app.assignments.counting import (
    Counted,
    GradedScore,
    Points,
    StudentAssignment,
    best_of,
    graded_in,
    overrides_in,
    points_from,
)
from app.assignments.service import all_of, find
from app.assignments.terms import ClassTerms, PersonalTerms, class_terms
from app.challenges.service import Catalogue
from app.courses.access import is_student_of, manager_access
from app.database import Database
from app.models import OPEN_STATES, Assignment, Course, Enrollment, PointsOverride, Submission, User
from app.questions.asked import bank_for, drawn_for, facts_in
from app.questions.scores import LastAnswer, answers_in, share_earned
from grader.questions import NO_FACTS, MarkStatus, RunFacts

Answers = Mapping[str, LastAnswer]


class CellState(StrEnum):
    """What is to be known of a student's work in an assignment beside the points. Several may hold."""

    NOT_SUBMITTED = "not_submitted"
    WAITING = "waiting"  # submitted, and not graded yet
    LATE = "late"
    REVIEW = "awaiting_review"  # an answer waits for a person
    OVERRIDDEN = "overridden"
    EXCEPTION = "exception"  # more time or attempts


class Student(NamedTuple):
    """A student, with the details that the course gave. Their questions are drawn by `question_seed`."""

    id: str
    name: str
    question_seed: str
    full_name: str | None
    email: str | None
    section: str | None


STUDENT: Final = (
    *(User.id, User.name, User.question_seed),
    *(Enrollment.full_name, Enrollment.email, Enrollment.section),
)


@dataclass(frozen=True)
class SentCounts:
    """How much a student has sent to an assignment that was not withdrawn, and how much of it is still to be graded."""

    attempts: int = 0
    waiting: int = 0


@dataclass(frozen=True)
class GradebookRow:
    """A student's result in an assignment. `counted` is None when nothing of theirs is graded."""

    student: Student
    terms: PersonalTerms
    attempts: int
    sent: SentCounts
    counted: Counted | None
    parts: Points
    override: PointsOverride | None
    to_review: int

    @property
    def assignment(self) -> Assignment:
        """The assignment."""
        return self.terms.assignment

    @property
    def points(self) -> float | None:
        """The points in all; None where nothing is graded or given, since no work is not the same as no points."""
        return self.parts.total if self.parts.has_result else None

    @property
    def states(self) -> frozenset[CellState]:
        """What is to be known beside the points."""
        holds = {
            CellState.NOT_SUBMITTED: not self.sent.attempts,
            CellState.WAITING: self.sent.waiting > 0,
            CellState.LATE: self.counted is not None and self.counted.days_late > 0,
            CellState.REVIEW: self.to_review > 0,
            CellState.OVERRIDDEN: self.override is not None,
            CellState.EXCEPTION: bool(self.terms.exceptions),
        }
        return frozenset(state for state, is_so in holds.items() if is_so)


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
        assignments = [find(session, access, assignment)] if assignment else all_of(session, access.course.id)
        students = students_of(session, access.course)
        lines = rows_of(session, catalogue, assignments, students)
    return Gradebook(access.course, students, assignments, lines)


def students_of(session: Session, course: Course) -> list[Student]:
    """Returns the students of a course, by name."""
    query = select(*STUDENT).join(Enrollment).where(is_student_of(course)).order_by(User.name)
    return [Student(*row) for row in session.execute(query)]


def rows_of(
    session: Session,
    catalogue: Catalogue,
    assignments: Sequence[Assignment],
    students: Sequence[Student],
    *,
    is_whole_class: bool = True,
) -> list[GradebookRow]:
    """Returns a row for each student and assignment, student by student. Without `is_whole_class` the database is asked
    about these students alone.
    """
    records = _Records(session, assignments, None if is_whole_class else [student.id for student in students])
    return [_row(catalogue, records, student, each) for student in students for each in assignments]


class _Records:
    """All that rows are made of, read with a number of statements that does not grow."""

    def __init__(self, session: Session, assignments: Sequence[Assignment], ids: Sequence[str] | None) -> None:
        asking = [each for each in assignments if each.question_points]
        self.terms: Mapping[str, ClassTerms] = class_terms(session, assignments)
        self.graded: Mapping[StudentAssignment, Sequence[GradedScore]] = graded_in(session, assignments, ids)
        self.overrides: Mapping[StudentAssignment, PointsOverride] = overrides_in(session, assignments, ids)
        self.answers: Mapping[StudentAssignment, Answers] = answers_in(session, asking, ids) if asking else {}
        self.facts: Mapping[StudentAssignment, RunFacts] = facts_in(session, asking, ids) if self.answers else {}
        self.sent = _sent(session, assignments, ids)
        self._worth: dict[str, Mapping[str, float]] = {}

    def worth(self, catalogue: Catalogue, assignment: Assignment, student: Student) -> Mapping[str, float]:
        """Returns the points of each question that the student is asked: the same for all without facts of a run."""
        facts = self.facts.get(StudentAssignment(student.id, assignment.id), NO_FACTS)
        if facts is NO_FACTS and assignment.id in self._worth:
            return self._worth[assignment.id]
        bank = bank_for(catalogue.get(assignment.challenge).questions, assignment)
        found = bank.points(drawn_for(student.question_seed, assignment), facts)
        if facts is NO_FACTS:
            self._worth[assignment.id] = found
        return found


def _row(catalogue: Catalogue, records: _Records, student: Student, assignment: Assignment) -> GradebookRow:
    place = StudentAssignment(student.id, assignment.id)
    terms = records.terms[assignment.id].of(student.id, student.section)
    graded, answers = records.graded.get(place, ()), records.answers.get(place, {})
    counted, override = best_of(terms, graded), records.overrides.get(place)
    earned = 0.0
    if answers:
        worth = records.worth(catalogue, assignment, student)
        earned = assignment.question_points * share_earned(terms, answers, worth)
    return GradebookRow(
        student=student,
        terms=terms,
        attempts=len(graded),
        sent=records.sent.get(place, SentCounts()),
        counted=counted,
        parts=points_from(counted, earned, override),
        override=override,
        to_review=sum(answer.mark["status"] == MarkStatus.PENDING for answer in answers.values()),
    )


def _sent(
    session: Session, assignments: Sequence[Assignment], ids: Sequence[str] | None
) -> dict[StudentAssignment, SentCounts]:
    columns = (Submission.user_id, Submission.assignment_id)
    waiting = func.sum(case((Submission.state.in_(OPEN_STATES), 1), else_=0))
    query = (
        select(*columns, func.count(), waiting)
        .where(Submission.assignment_id.in_([each.id for each in assignments]), Submission.state.not_in(WITHDRAWN))
        .group_by(*columns)
    )
    if ids is not None:
        query = query.where(Submission.user_id.in_(ids))
    return {
        StudentAssignment(user, assignment): SentCounts(*counts)
        for user, assignment, *counts in session.execute(query)
        if assignment
    }
