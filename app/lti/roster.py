"""The roster follows the platform's, by the rules of every roster: with the authority of whoever connected the courses,
and students alone. Who teaches at the platform is made nobody here: a role of the staff is given by a person.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

import structlog
from sqlalchemy import delete, or_, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session, joinedload

from app.accounts.names import address_key
from app.courses import roster
from app.courses.people import enrolled_in
from app.courses.roster_file import FULL_NAME_MAX, PEOPLE_MAX, BadRow, RosterRow, student_row
from app.database import Database
from app.lti.advantage import Member, PlatformServices
from app.lti.messages import is_learner
from app.lti.outgoing import PlatformFault
from app.models import Course, Enrollment, LtiContext, LtiMember, Role, User, now
from app.problems import Problem

FOLLOWED_EVERY: Final = timedelta(hours=6)
NO_AUTHORITY: Final = (
    "Whoever connected this course is not its instructor any more. Disconnect it, and let an instructor connect it "
    "again."
)
logger = structlog.get_logger(part="lti")


@dataclass(frozen=True)
class _Listed:
    """The students of a platform's roster who can be found here, and how many cannot."""

    rows: list[RosterRow | BadRow]
    without_email: int


def follow_due(database: Database, services: PlatformServices) -> None:
    """Follows the rosters that were not read for some hours."""
    with database.read() as session:
        is_due = or_(LtiContext.roster_at.is_(None), LtiContext.roster_at < now() - FOLLOWED_EVERY)
        query = select(LtiContext.id).join(LtiContext.course).where(LtiContext.memberships_url.is_not(None), is_due)
        query = query.where(Course.archived_at.is_(None))  # a platform may empty a course that is over
        ids = session.scalars(query).all()
    for each in ids:
        follow(database, services, each)


def follow(database: Database, services: PlatformServices, context_id: str) -> str:
    """Reads the platform's roster and has the course's follow; returns a sentence that says what came of it."""
    with database.write() as session:  # noted before it is read, so that one that fails is not read again at once
        context = session.get_one(
            LtiContext, context_id, options=[joinedload(LtiContext.course), joinedload(LtiContext.linked_by)]
        )
        context.roster_at = now()
    try:
        sentence = _follow(database, services, context)
    except (PlatformFault, Problem) as fault:
        sentence = f"The roster was not followed. {getattr(fault, 'sentence', None) or fault}"
        logger.warning("lti_roster_failed", context=context_id, reason=sentence)
    except IntegrityError:  # another course made one of the accounts at this very moment
        sentence = "The roster was not followed: another roster was imported at this moment. Try again."
    with database.write() as session:
        session.get_one(LtiContext, context_id).roster_result = sentence[:500]
    return sentence


def _follow(database: Database, services: PlatformServices, context: LtiContext) -> str:
    if context.memberships_url is None or not context.platform.is_active:
        raise PlatformFault("The platform does not offer its roster to this course.")
    if context.course is None or context.linked_by is None:
        raise PlatformFault(NO_AUTHORITY)
    if context.course.is_archived:
        raise PlatformFault("The course is archived. Bring it back first, in its settings.")
    members = []
    for member in services.members(context.platform, context.memberships_url):
        members.append(member)
        if len(members) > PEOPLE_MAX:
            raise PlatformFault(f"It has more than {PEOPLE_MAX} members.")
    listed = _listed(members)
    if not listed.rows:
        return "The platform's roster has no students with an e-mail address, so nothing was changed."
    with database.write() as session:
        return _apply(session, context, context.course, context.linked_by, listed)


def _listed(members: Sequence[Member]) -> _Listed:
    students = [one for one in members if is_learner(one.roles) and one.status.lower() == "active"]
    named = [one for one in students if one.email]
    rows = [student_row(place, (one.name or "")[:FULL_NAME_MAX], one.email or "") for place, one in enumerate(named, 1)]
    return _Listed(rows, len(students) - len(named))


def _apply(session: Session, context: LtiContext, course: Course, by: User, listed: _Listed) -> str:
    """Whom the platform never brought stays, whatever it lists."""
    brought = set(session.scalars(select(LtiMember.user_id).where(LtiMember.context_id == context.id)))
    staying = [person for person in enrolled_in(session, course) if person.user_id not in brought]
    addresses = {row.email for row in listed.rows if isinstance(row, RosterRow)}
    kept: list[RosterRow | BadRow] = [
        RosterRow(len(listed.rows) + place, person.name, None, None, None)
        for place, person in enumerate(staying, 1)
        if not addresses & {person.email, address_key(person.account_email or person.name)}
    ]
    plan = roster.follow(session, by, course.slug, [*listed.rows, *kept], remove_missing=True)
    session.flush()
    _remember(session, context, course, {row.email for row in listed.rows if isinstance(row, RosterRow) and row.email})
    told = [f"{len(plan.added)} added", f"{len(plan.changed)} changed", f"{len(plan.removed)} removed"]
    told += [f"{len(plan.refused)} refused: {plan.refused[0].reason}"] if plan.refused else []
    told += [f"{listed.without_email} left out, since the platform does not tell their address"] * bool(
        listed.without_email
    )
    return f"{'; '.join(told)}{'' if plan.refused else '.'}"


def _remember(session: Session, context: LtiContext, course: Course, addresses: set[str]) -> None:
    """Notes who is here by the platform's roster now. Who was here before it, too: with it they leave again."""
    session.execute(delete(LtiMember).where(LtiMember.context_id == context.id))
    people = [person for person in enrolled_in(session, course) if person.role is Role.STUDENT]
    for person in people:
        if addresses & {person.email, address_key(person.account_email or person.name)}:
            session.add(LtiMember(context_id=context.id, user_id=person.user_id))


def bring(database: Database, context: LtiContext, full_name: str | None, email: str) -> None:
    """Brings one student in who has just come from the platform, as its roster would. Does nothing where it may not."""
    with database.read() as session:
        found = session.get(
            LtiContext, context.id, options=[joinedload(LtiContext.course), joinedload(LtiContext.linked_by)]
        )
    if found is None or found.course is None or found.course.is_archived or found.linked_by is None:
        return
    try:
        with database.write() as session:
            row = student_row(1, (full_name or "")[:FULL_NAME_MAX], email)
            plan = roster.follow(session, found.linked_by, found.course.slug, [row], remove_missing=False)
            if plan.added:
                _remember_one(session, found, found.course, address_key(email))
    except (Problem, IntegrityError) as fault:
        logger.warning("lti_student_not_brought", context=context.id, reason=str(fault)[:200])


def _remember_one(session: Session, context: LtiContext, course: Course, email: str) -> None:
    session.flush()
    query = select(Enrollment.user_id).where(Enrollment.course_id == course.id, Enrollment.email == email)
    for user_id in session.scalars(query).all():
        session.merge(LtiMember(context_id=context.id, user_id=user_id))
