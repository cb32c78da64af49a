"""Who of a course has a way in, and who may be given one. The rules about invitations stand here and nowhere else.

An invitation opens an account that a roster made and nobody has used, and no other. It proves that its holder was
handed the code by this course, or reads the mail of the account's own address:

- by mail, it goes to the account's own address, whichever course asks;
- on paper, whoever prints it can use it: so the account must be this course's alone, as for changing its address
  (`app.courses.planning`), or an operator prints. It ends when that person may no longer change the course.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, and_, exists, or_, select
from sqlalchemy.orm import Session, aliased

from app.accounts.names import is_email
from app.invitations.schemas import Access, WayIn
from app.models import (
    Course,
    Enrollment,
    Identity,
    Invitation,
    InvitationState,
    Role,
    Token,
    User,
    now,
)

_WAYS = {
    InvitationState.WAITING: WayIn.MAIL_WAITING,
    InvitationState.SENDING: WayIn.MAIL_WAITING,
    InvitationState.OPEN: WayIn.INVITED,
    InvitationState.FAILED: WayIn.MAIL_FAILED,
    InvitationState.REVOKED: WayIn.REVOKED,
    InvitationState.USED: WayIn.SIGNED_IN,
}
PRINTER_LEFT = "whoever printed the code is no longer an instructor here"
NO_WAY_IN = (WayIn.NOT_INVITED, WayIn.EXPIRED, WayIn.MAIL_FAILED)


@dataclass(frozen=True)
class Member:
    """A person of a course, with what an invitation depends on."""

    user: User
    enrollment: Enrollment
    invitation: Invitation | None
    is_linked: bool  # to an identity at a provider
    has_token: bool
    is_elsewhere: bool  # in another course too
    has_printer_left: bool  # whoever printed the invitation may no longer change the course

    @property
    def is_in_use(self) -> bool:
        """Whether the account has an owner already, whom no invitation may replace."""
        return self.user.first_used_at is not None or self.is_linked

    @property
    def is_open_to_invitations(self) -> bool:
        """Whether the account was made for somebody who is still to come. Operators make other accounts."""
        return not self.is_in_use and self.user.role is Role.STUDENT

    @property
    def address(self) -> str | None:
        """The account's own address, which is its owner's."""
        said = self.user.email or self.user.name
        return said if is_email(said) else None

    def may_be_printed(self, course: Course, *, by_operator: bool) -> bool:
        """Whether whoever changes the course may hold the code."""
        return by_operator or (self.user.created_by_course_id == course.id and not self.is_elsewhere)


def members(session: Session, course: Course, whose: ColumnElement[bool] | None = None) -> list[Member]:
    """Returns the people of the course, by name, in one statement."""
    other, printing, printer = aliased(Enrollment), aliased(Enrollment), aliased(User)
    may_print = or_(
        exists().where(
            printing.user_id == Invitation.printed_by_id,
            printing.course_id == course.id,
            printing.role == Role.INSTRUCTOR,
        ),
        exists().where(printer.id == Invitation.printed_by_id, printer.role == Role.OPERATOR),
    )
    query = (
        select(
            User,
            Enrollment,
            Invitation,
            exists().where(Identity.user_id == User.id),
            exists().where(Token.user_id == User.id, Token.revoked_at.is_(None), Token.expires_at > now()),
            exists().where(other.user_id == User.id, other.course_id != course.id),
            and_(Invitation.printed_by_id.is_not(None), ~may_print),
        )
        .join(Enrollment, Enrollment.user_id == User.id)
        .outerjoin(Invitation, (Invitation.user_id == User.id) & (Invitation.course_id == course.id))
        .where(Enrollment.course_id == course.id)
        .order_by(User.name)
    )
    query = query if whose is None else query.where(whose)
    return [Member(*row) for row in session.execute(query)]


def access_of(member: Member, moment: datetime) -> Access:
    """Returns how the person gets in."""
    if member.is_in_use:
        return Access(way_in=WayIn.SIGNED_IN)
    found = member.invitation
    if found is None or found.state is InvitationState.USED:
        return Access(way_in=WayIn.TOKEN if member.has_token else WayIn.NOT_INVITED)
    way_in = _WAYS[found.state]
    if way_in is not WayIn.REVOKED and found.expires_at <= moment:
        return Access(way_in=WayIn.EXPIRED, expires_at=found.expires_at)
    if way_in is WayIn.INVITED and member.has_printer_left:
        return Access(way_in=WayIn.EXPIRED, reason=PRINTER_LEFT, expires_at=found.expires_at)
    if member.has_token and way_in in (WayIn.REVOKED, WayIn.MAIL_FAILED):
        return Access(way_in=WayIn.TOKEN)
    is_told = way_in in (WayIn.MAIL_WAITING, WayIn.MAIL_FAILED)
    return Access(way_in=way_in, reason=found.reason if is_told else None, expires_at=found.expires_at)


def access_in(session: Session, course: Course, user_ids: Collection[str]) -> dict[str, Access]:
    """Returns how these people of the course get in, by their id."""
    moment = now()
    return {row.user.id: access_of(row, moment) for row in members(session, course, User.id.in_(user_ids))}
