"""Using a code: whose account it would open, and opening it, once."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from app import audit
from app.accounts.codes import digest_of
from app.accounts.service import NewToken, add_token
from app.database import Database
from app.invitations.people import Member, members
from app.models import Course, Invitation, InvitationState, User, now
from app.problems import Forbidden, NotFound
from app.rows import hold
from app.time_zones import in_zone

UNKNOWN: Final = (
    "This code is not known here. Copy it whole, or type it again. If you were sent more than one, only the newest "
    "works."
)
IN_USE: Final = (
    "Somebody has used this account already, so this code opens nothing. If that was you, sign in with your token; if "
    "not, tell your instructor at once."
)


@dataclass(frozen=True)
class Opening:
    """The account that a code would open, as the course calls it."""

    name: str
    full_name: str | None
    course_title: str


@dataclass(frozen=True)
class Opened:
    """Who came in, and the token that keeps the way open."""

    user: User
    token: NewToken
    course: Course


def look(database: Database, code: str) -> Opening:
    """Returns what the code would open, and uses nothing up. Raises NotFound for an unknown code, Forbidden for one
    that opens nothing any more.
    """
    with database.read() as session:
        found = _invitation(session, code, is_held=False)
        member = _member(session, found)
        return Opening(member.user.name, member.enrollment.full_name, found.course.title)


def accept(database: Database, code: str, token_days: int) -> Opened:
    """Opens the account: it is in use from now on, and gets a token. Raises as `look`."""
    with database.write() as session:
        found = _invitation(session, code, is_held=True)
        hold(session, User.id, found.user_id)
        user = _member(session, found).user
        found.state, found.next_try_at = InvitationState.USED, None
        user.first_used_at = now()
        token = add_token(session, user, "from my invitation", now() + timedelta(days=token_days))
        audit.note(session, user, "invitation.accept", user.name, found.course)
        return Opened(user, token, found.course)


def _invitation(session: Session, code: str, *, is_held: bool) -> Invitation:
    query = select(Invitation).where(Invitation.sha256 == digest_of(code))
    found = session.scalar(query.with_for_update() if is_held else query)
    if found is None or found.state is InvitationState.REVOKED:
        raise NotFound(UNKNOWN)
    if found.state is InvitationState.USED:
        raise Forbidden(IN_USE)
    if found.expires_at <= now():
        expired = in_zone(found.expires_at, found.course.time_zone)
        raise Forbidden(f"This code expired at {expired}. Ask your instructor for a new invitation.")
    return found


def _member(session: Session, found: Invitation) -> Member:
    """Checked again: much may have happened since the code was given out."""
    people = members(session, found.course, User.id == found.user_id)
    if not people:
        raise Forbidden("You are no longer on the roster of this course. Ask your instructor.")
    member = people[0]
    if not member.is_open_to_invitations:
        raise Forbidden(IN_USE)
    if member.has_printer_left:
        raise Forbidden(
            "This code has ended: whoever printed it is no longer an instructor of the course. Ask your instructor for "
            "a new one."
        )
    if found.is_printed and not member.may_be_printed(found.course, by_operator=False):
        raise Forbidden(
            "This account is in another course too by now, and a code on paper opens it no more. Ask for an invitation "
            "by e-mail, or ask whoever runs this service."
        )
    return member
