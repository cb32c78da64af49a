"""Joining a leaderboard and leaving it, and what staff may do about an entry."""

from typing import Final

from sqlalchemy import delete, func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from app import audit
from app.accounts.names import name_key
from app.assignments.schedule import holds_grades
from app.assignments.service import find
from app.challenges.service import Catalogue
from app.courses.access import CourseAccess, access_to, archived_words, staff_access
from app.database import Database
from app.jobs.transitions import withdraw
from app.leaderboard.board import drawn, with_board
from app.leaderboard.measuring import Wanted, measure_again, passed
from app.leaderboard.pseudonyms import refusal
from app.models import Assignment, Enrollment, Job, LeaderboardEntry, Role, User, now
from app.problems import Conflict, NotFound, wrong
from app.rows import row_with
from grader.messages import JobKind

MEASURED_MAX: Final = 5  # of one submission: nobody joins again until chance is kind
TAKEN: Final = "Somebody on this leaderboard has this pseudonym. Choose another."


def join(database: Database, catalogue: Catalogue, user: User, course: str, slug: str, pseudonym: str | None) -> None:
    """Puts a student who has passed on the board, or gives their entry another pseudonym; without one, one is drawn for
    a new entry. Raises NotFound, Unprocessable for a pseudonym that cannot be had, and Conflict for whoever may not
    join.
    """
    try:
        with database.write() as session:
            access, assignment = with_board(session, user, course, slug)
            entry = _own(session, user, assignment)
            _refuse_to_join(access, assignment, entry)
            if entry is not None and not pseudonym:
                return  # as they are
            chosen = pseudonym or drawn(session, assignment)
            _check(session, user, assignment, chosen)
            if entry is None:
                version = catalogue.get(assignment.challenge).challenge.version
                wanted = Wanted(passed(session, assignment, user.id), version)
                _add(session, user, assignment, chosen, wanted)
            else:
                entry.pseudonym, entry.pseudonym_key = chosen, name_key(chosen)
    except IntegrityError as error:  # of two who choose the same at one moment, one is second
        raise wrong("pseudonym", TAKEN) from error


def leave(database: Database, user: User, course: str, slug: str) -> None:
    """Deletes the person's entry, also where the board was switched off. What staff removed stays removed. Raises
    NotFound.
    """
    with database.write() as session:
        assignment = find(session, access_to(session, user, course), slug)
        entry = _own(session, user, assignment)
        if entry is not None and entry.removed_at is None:
            _withdraw(session, entry)
            # Staff may have removed it at this very moment.
            still_there = (LeaderboardEntry.id == entry.id, LeaderboardEntry.removed_at.is_(None))
            session.execute(delete(LeaderboardEntry).where(*still_there))


def remove(database: Database, user: User, course: str, slug: str, entry_id: str) -> None:
    """Takes an entry off the board; its student cannot join again until staff let them. Raises NotFound, Forbidden."""
    with database.write() as session:
        assignment, entry = _for_staff(session, user, course, slug, entry_id)
        if entry.removed_at is None:
            _withdraw(session, entry)
            entry.removed_at = now()
            _note(session, user, "leaderboard.remove", assignment, entry)


def let_back(database: Database, user: User, course: str, slug: str, entry_id: str) -> None:
    """Deletes an entry that staff removed, so that its student can join again. Raises NotFound, Forbidden."""
    with database.write() as session:
        assignment, entry = _for_staff(session, user, course, slug, entry_id)
        if entry.removed_at is not None:
            _note(session, user, "leaderboard.let_back", assignment, entry)
            session.delete(entry)


def _for_staff(
    session: Session, user: User, course: str, slug: str, entry_id: str
) -> tuple[Assignment, LeaderboardEntry]:
    assignment = find(session, staff_access(session, user, course), slug)
    entry = row_with(session, LeaderboardEntry, entry_id)
    if entry is None or entry.assignment_id != assignment.id:
        raise NotFound("There is no such entry on this leaderboard. Its student may have left it.")
    return assignment, entry


def _own(session: Session, user: User, assignment: Assignment) -> LeaderboardEntry | None:
    mine = (LeaderboardEntry.assignment_id == assignment.id, LeaderboardEntry.user_id == user.id)
    return session.scalar(select(LeaderboardEntry).where(*mine))


def _refuse_to_join(access: CourseAccess, assignment: Assignment, entry: LeaderboardEntry | None) -> None:
    if access.role is not Role.STUDENT:
        raise Conflict("Only students of the course can join its leaderboards.")
    if access.course.is_archived:
        raise Conflict(archived_words(access.course))
    if holds_grades(assignment):
        raise Conflict("Grades are held, and an entry would tell that you passed. Join once they are released.")
    if entry is not None and entry.removed_at is not None:
        raise Conflict("The course's staff removed your entry from this leaderboard. Ask them to let you join again.")


def _check(session: Session, user: User, assignment: Assignment, pseudonym: str) -> None:
    """Raises Unprocessable."""
    names = session.scalars(select(Enrollment.full_name).where(Enrollment.user_id == user.id))
    problem = refusal(pseudonym, user, [name for name in names if name])
    if problem is not None:
        raise wrong("pseudonym", problem)
    others = (LeaderboardEntry.assignment_id == assignment.id, LeaderboardEntry.user_id != user.id)
    same = select(LeaderboardEntry.id).where(*others, LeaderboardEntry.pseudonym_key == name_key(pseudonym))
    if session.scalar(same) is not None:
        raise wrong("pseudonym", TAKEN)


def _add(session: Session, user: User, assignment: Assignment, pseudonym: str, wanted: Wanted) -> None:
    if wanted.submission_id is None:
        raise Conflict("You can join once a submission of yours to this assignment has passed.")
    measured = select(func.count()).where(Job.kind == JobKind.MEASURE, Job.submission_id == wanted.submission_id)
    if (session.scalar(measured) or 0) >= MEASURED_MAX:
        raise Conflict(f"It was measured {MEASURED_MAX} times, which is the limit. Submit a newer version.")
    entry = LeaderboardEntry(
        assignment_id=assignment.id, user_id=user.id, pseudonym=pseudonym, pseudonym_key=name_key(pseudonym)
    )
    session.add(entry)
    session.flush()
    measure_again(session, entry, wanted)


def _withdraw(session: Session, entry: LeaderboardEntry) -> None:
    if entry.job_id is not None:
        withdraw(session, Job.id == entry.job_id)


def _note(session: Session, user: User, action: str, assignment: Assignment, entry: LeaderboardEntry) -> None:
    audit.note(session, user, action, assignment.slug, assignment.course, student=entry.user.name, text=entry.pseudonym)
