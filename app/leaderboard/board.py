"""What a leaderboard shows: students a pseudonym and two ratios of others, staff also who is who."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.accounts.names import name_key
from app.assignments.schedule import holds_grades
from app.assignments.service import find
from app.challenges.service import Catalogue
from app.courses.access import CourseAccess, access_to
from app.database import Database
from app.leaderboard.measuring import passed, refresh
from app.leaderboard.pseudonyms import offered
from app.leaderboard.ranking import Rank, ranks
from app.leaderboard.schemas import Board, MyEntry, Order, Row, StaffEntry, Standing
from app.models import Assignment, Enrollment, LeaderboardEntry, Role, User
from app.problems import NotFound
from grader.measurement import Interval, Measurement

TRIES: Final = 5  # to draw a pseudonym that nobody has


@dataclass(frozen=True)
class _Entry:
    """An entry with what is known of it. `full_name` is the course's."""

    row: LeaderboardEntry
    student: str
    full_name: str | None

    @cached_property
    def measurement(self) -> Measurement:
        return Measurement.model_validate_json(self.row.body or "{}")

    def figure(self, order: Order) -> Interval | None:
        """Returns the figure that a board in this order ranks by."""
        return self.measurement.time if order is Order.TIME else self.measurement.memory

    @property
    def standing(self) -> Standing:
        if self.row.removed_at is not None:
            return Standing.REMOVED
        if self.row.submission_id is None:
            return Standing.NOT_PASSED
        if self.row.body is None:
            return Standing.WAITING
        return Standing.NOT_RANKED if self.measurement.problem else Standing.RANKED

    def for_staff(self) -> StaffEntry:
        return StaffEntry.of(
            self.row,
            student=self.student,
            full_name=self.full_name,
            standing=self.standing,
            problem=self.measurement.problem,
            submission=self.row.submission_id,
        )


@dataclass(frozen=True)
class _Measured:
    """An entry with the figure that it is ranked by."""

    entry: _Entry
    figure: Interval


def read(database: Database, catalogue: Catalogue, user: User, course: str, slug: str, order: Order) -> Board:
    """Returns the board, and has measured again what is out of date, but for held grades: that something new is
    measured would tell that it passed. Raises NotFound, also where there is no board.
    """
    with database.read() as session:
        access, assignment = with_board(session, user, course, slug)
    if not holds_grades(assignment):
        refresh(database, assignment, catalogue.get(assignment.challenge).challenge.version)
    with database.read() as session:
        return _board(session, user, access, assignment, order)


def with_board(session: Session, user: User, course: str, slug: str) -> tuple[CourseAccess, Assignment]:
    """Returns the access and the assignment. Raises NotFound, also where there is no board."""
    access = access_to(session, user, course)
    assignment = find(session, access, slug)
    if not assignment.has_leaderboard:
        raise NotFound(f"{assignment.title!r} has no leaderboard.")
    return access, assignment


def drawn(session: Session, assignment: Assignment) -> str:
    """Returns a pseudonym that nobody has; if chance fails so often, the caller is told that it is taken."""
    found = [offered() for _ in range(TRIES)]
    query = select(LeaderboardEntry.pseudonym_key).where(LeaderboardEntry.assignment_id == assignment.id)
    taken = set(session.scalars(query.where(LeaderboardEntry.pseudonym_key.in_(map(name_key, found)))))
    return next((each for each in found if name_key(each) not in taken), found[0])


def _board(session: Session, user: User, access: CourseAccess, assignment: Assignment, order: Order) -> Board:
    entries = _entries(session, assignment)
    mine = next((each for each in entries if each.row.user_id == user.id), None)
    is_held = holds_grades(assignment)
    may_join = mine is None and access.role is Role.STUDENT and not is_held and not access.course.is_archived
    may_join = may_join and passed(session, assignment, user.id) is not None
    ranked = [each for each in entries if each.standing is Standing.RANKED]
    others = [each.for_staff() for each in entries if each.standing is not Standing.RANKED]
    return Board(
        course=access.course.slug,
        assignment=assignment.slug,
        title=assignment.title,
        order=order,
        is_staff=access.is_staff,
        is_held=is_held,
        rows=_rows(ranked, order, user, is_staff=access.is_staff) if access.is_staff or not is_held else [],
        mine=_mine(mine, is_held=is_held) if mine is not None else None,
        may_join=may_join,
        offered=drawn(session, assignment) if may_join else None,
        not_ranked=others if access.is_staff else [],
    )


def _entries(session: Session, assignment: Assignment) -> list[_Entry]:
    """Of those who are students of the course now."""
    member = (
        (Enrollment.user_id == LeaderboardEntry.user_id)
        & (Enrollment.course_id == assignment.course_id)
        & (Enrollment.role == Role.STUDENT)
    )
    query = (
        select(LeaderboardEntry, User.name, Enrollment.full_name)
        .join(User, User.id == LeaderboardEntry.user_id)
        .join(Enrollment, member)
        .where(LeaderboardEntry.assignment_id == assignment.id)
        .order_by(LeaderboardEntry.pseudonym_key)
    )
    return [_Entry(*each) for each in session.execute(query)]


def _rows(entries: Sequence[_Entry], order: Order, user: User, *, is_staff: bool) -> list[Row]:
    """The best first; those who share a rank by their medians. Without a figure to rank by, nobody is there."""
    measured = [_Measured(each, figure) for each in entries if (figure := each.figure(order)) is not None]
    placed = list(zip(measured, ranks([each.figure for each in measured]), strict=True))
    placed.sort(key=lambda pair: (pair[1].number, pair[0].figure.median))
    return [_row(each.entry, rank, user, is_staff=is_staff) for each, rank in placed]


def _row(entry: _Entry, rank: Rank, user: User, *, is_staff: bool) -> Row:
    return Row(
        rank=rank.number,
        is_shared=rank.is_shared,
        pseudonym=entry.row.pseudonym,
        time=entry.measurement.time,
        memory=entry.measurement.memory,
        is_mine=entry.row.user_id == user.id,
        entry=entry.for_staff() if is_staff else None,
    )


def _mine(entry: _Entry, *, is_held: bool) -> MyEntry:
    if is_held and entry.standing is not Standing.REMOVED:
        return MyEntry(pseudonym=entry.row.pseudonym, standing=Standing.HELD, problem=None)
    return MyEntry(pseudonym=entry.row.pseudonym, standing=entry.standing, problem=entry.measurement.problem)
