"""Which assignment an upload counts for, and whether it is taken now."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session, joinedload

from app.assignments.attempts import Attempts, attempts_at, attempts_in
from app.assignments.late_policy import Late, late_at
from app.assignments.schedule import HOLDING, Phase, holds_grades, phase_at
from app.assignments.service import find
from app.assignments.terms import PersonalTerms, terms_for, terms_in
from app.courses.access import access_to, archived_words
from app.database import Database
from app.models import Assignment, Enrollment, Feedback, Role, Submission, User, now
from app.problems import Conflict, NotFound, TooManyRequests, Unprocessable
from app.time_zones import in_zone

PRACTICE: Final = "practice"  # what stands for an assignment where an upload is to count for none
# Written once: every upload asks.
_OF_COURSES: Final = (
    select(Assignment)
    .join(Enrollment, Enrollment.course_id == Assignment.course_id)
    .options(joinedload(Assignment.course))
    .where(Enrollment.user_id == bindparam("user_id"))
    .order_by(Assignment.due_at, Assignment.id)
)
_OF_CHALLENGE: Final = _OF_COURSES.where(Assignment.challenge == bindparam("challenge"))


@dataclass(frozen=True)
class Choice:
    """An open assignment by the terms that hold for a person, and their attempts at it."""

    terms: PersonalTerms
    attempts: Attempts
    late: Late

    @property
    def assignment(self) -> Assignment:
        """The assignment itself."""
        return self.terms.assignment


def choices(database: Database, user: User, challenge: str) -> list[Choice]:
    """Returns the assignments that an upload of the challenge may count for, the next due first; if there are several,
    the student chooses; if none, it is practice.
    """
    moment = now()
    with database.read() as session:
        found = open_for(session, user, moment, challenge)
        return _choices(session, user, found, moment)


def may_practise(found: Sequence[Choice]) -> bool:
    """Whether the challenge of these assignments may be practised beside them: where their attempts are used up, and
    none keeps back why something is wrong, or what it earned.
    """
    return all(
        choice.attempts.left == 0
        and choice.assignment.feedback is Feedback.FULL
        and not holds_grades(choice.assignment)
        for choice in found
    )


def challenge_of(database: Database, user: User, address: str) -> str:
    """Returns the challenge of the assignment `course/slug`. Raises NotFound, Unprocessable."""
    with database.read() as session:
        return _named(session, user, address).challenge


def why_closed(database: Database, user: User, address: str) -> str | None:
    """Returns why the assignment `course/slug` takes nothing any more; None where it does, or where there is none."""
    with database.read() as session:
        try:
            assignment = _named(session, user, address)
        except (NotFound, Unprocessable):
            return None
        return closed_words(terms_in(session, user.id, [assignment])[assignment.id], now())


def closed_words(terms: PersonalTerms, moment: datetime) -> str | None:
    """Returns why an assignment takes no submissions any more; None where it does."""
    if phase_at(terms, moment) is not Phase.CLOSED:
        return None
    if terms.is_archived or terms.closes_at is None:
        return archived_words(terms.assignment.course)
    closed_at = in_zone(terms.closes_at, terms.assignment.course.time_zone)
    return f"{terms.assignment.title!r} closed on {closed_at} and no longer accepts submissions."


def choose(session: Session, user: User, address: str | None, challenge: str, moment: datetime) -> PersonalTerms | None:
    """Returns the terms of the assignment that an upload counts for: the one named, or else the open one that is due
    next; None for practice, which may be asked for by that name.

    Raises NotFound, Unprocessable, and Conflict when it is not open or when several courses ask and none is named.
    """
    if address is None:
        found = _next_due_by_course(session, user, moment, challenge)
        _in_one_course(found, challenge)
        if not found:
            _refuse_beside_held(session, user, challenge, moment)
        return found[0] if found else None
    if address == PRACTICE:
        _is_practice(session, user, challenge, moment)
        return None
    assignment = _named(session, user, address)
    _asks_for(assignment, challenge)
    terms = terms_in(session, user.id, [assignment])[assignment.id]
    _is_open(terms, moment)
    return terms


def limit_attempts(session: Session, user: User, newest: Submission) -> None:
    """Refuses `newest`, which has just been added and has superseded earlier ones, when it exceeds the limits.

    Raises Conflict when no attempts were left, TooManyRequests when waiting helps. The transaction must then be rolled
    back.
    """
    terms, moment = terms_for(newest), newest.created_at
    if terms is None:
        return
    assignment = terms.assignment
    if assignment.attempts_max is None and assignment.attempts_per_hour is None:
        return
    attempts = attempts_at(session, user, terms, moment, besides=newest)
    if attempts.left == 0:
        practice = (
            f" To practise, submit it with the assignment {PRACTICE!r} (engine submit-build --assignment {PRACTICE}): "
            "that does not count towards your grade."
        )
        raise Conflict(
            f"You have no attempts at {assignment.title!r} left: the limit is {terms.attempts_max}. If "
            "one of them went wrong through no fault of yours, tell your instructor."
            f"{practice if may_practise([Choice(terms, attempts, late_at(terms, moment))]) else ''}"
        )
    if attempts.again_at is not None:
        wait_s = max(1, math.ceil((attempts.again_at - moment).total_seconds()))
        raise TooManyRequests(
            f"{assignment.title!r} allows {assignment.attempts_per_hour} attempts an hour. Try "
            f"again at {in_zone(attempts.again_at, assignment.course.time_zone)}, in {math.ceil(wait_s / 60)} min.",
            retry_after_s=wait_s,
        )


def open_for(session: Session, user: User, moment: datetime, challenge: str | None = None) -> list[PersonalTerms]:
    """Returns the open assignments of a person's courses by the terms that hold for them, the next due first, those
    already late last of all.
    """
    if challenge is None:
        found = session.scalars(_OF_COURSES, {"user_id": user.id})
    else:
        found = session.scalars(_OF_CHALLENGE, {"user_id": user.id, "challenge": challenge})
    mine = terms_in(session, user.id, found.all()).values()
    is_open = [row for row in mine if phase_at(row, moment) is Phase.OPEN]
    return sorted(is_open, key=lambda row: _urgency(row, moment))


def _choices(session: Session, user: User, asked: Sequence[PersonalTerms], moment: datetime) -> list[Choice]:
    attempts = attempts_in(session, user, asked, moment)
    return [Choice(each, attempts[each.assignment.id], late_at(each, moment)) for each in asked]


def _next_due_by_course(session: Session, user: User, moment: datetime, challenge: str) -> list[PersonalTerms]:
    """The open assignment of each course that is due next."""
    first: dict[str, PersonalTerms] = {}
    for terms in open_for(session, user, moment, challenge):
        first.setdefault(terms.assignment.course_id, terms)
    return list(first.values())


def _in_one_course(found: list[PersonalTerms], challenge: str) -> None:
    """Nobody may draw uploads away from another course by an earlier due time, so no due time decides between courses,
    and the sentence suggests none of them.
    """
    if len(found) > 1:
        *others, last = (f"{each.assignment.course.slug}/{each.assignment.slug}" for each in found)
        raise Conflict(
            f"Several of your courses have an open assignment for {challenge}: {', '.join(others)} and "
            f"{last}. Say which one your upload is for: engine submit-build --assignment COURSE/ASSIGNMENT."
        )


def _urgency(terms: PersonalTerms, moment: datetime) -> tuple[int, float]:
    if terms.due_at is None:
        return 1, 0.0
    return (0 if moment <= terms.due_at else 2), terms.due_at.timestamp()


def _named(session: Session, user: User, address: str) -> Assignment:
    course, slash, slug = address.partition("/")
    if not slash:
        raise Unprocessable(
            f"{address[:130]!r} is not an assignment. Write course/assignment, for example cs336/attention."
        )
    return find(session, access_to(session, user, course), slug)


def _is_practice(session: Session, user: User, challenge: str, moment: datetime) -> None:
    """Raises Conflict where an open assignment has attempts left, or keeps back why something is wrong."""
    _refuse_beside_held(session, user, challenge, moment)
    asking = open_for(session, user, moment, challenge)
    for choice in _choices(session, user, asking, moment):
        if not may_practise([choice]):
            why = "hides what is wrong until it closes" if choice.attempts.left == 0 else "has attempts left"
            raise Conflict(f"{choice.assignment.title!r} {why}, so you cannot practise {challenge} at the moment.")


def _refuse_beside_held(session: Session, user: User, challenge: str, moment: datetime) -> None:
    """Raises Conflict where practice would tell what an assignment holds back."""
    asking = session.scalars(
        _OF_CHALLENGE.where(HOLDING, Enrollment.role == Role.STUDENT), {"user_id": user.id, "challenge": challenge}
    )
    held = next((each for each in asking if phase_at(each, moment) is not Phase.PLANNED), None)
    if held is not None:
        raise Conflict(
            f"The grades of {held.title!r} are held for now, and practice would tell yours: {challenge} can be "
            "practised again when they are released."
        )


def _asks_for(assignment: Assignment, challenge: str) -> None:
    if assignment.challenge != challenge:
        raise Unprocessable(
            f"{assignment.title!r} is about the challenge {assignment.challenge!r}, not {challenge!r}. "
            "Change one of the two."
        )


def _is_open(terms: PersonalTerms, moment: datetime) -> None:
    assignment = terms.assignment
    if phase_at(terms, moment) is Phase.PLANNED and assignment.opens_at is not None:
        opens_at = in_zone(assignment.opens_at, assignment.course.time_zone)
        raise Conflict(f"{assignment.title!r} opens on {opens_at}. Submit again then.")
    closed = closed_words(terms, moment)
    if closed is not None:
        raise Conflict(f"{closed} To practise, submit without naming an assignment.")
