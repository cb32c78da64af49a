"""Inviting the people of a course, by mail or on paper, and taking an invitation back."""

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from app import audit
from app.accounts.codes import digest_of, new_code
from app.courses.access import CourseAccess, manager_access
from app.database import Database
from app.invitations.people import NO_WAY_IN, Member, access_of, members
from app.invitations.schemas import Invitations, Invitee, Mailed, NotInvited, Slip, Slips
from app.models import Course, Invitation, InvitationState, Role, User, now
from app.problems import Conflict, NotFound
from app.rows import hold

MAIL_PAUSE: Final = timedelta(minutes=10)  # nobody's mailbox is flooded through us
NO_MAIL: Final = (
    "This service has no mail server, so nothing can be sent. Print the invitations instead, or ask whoever runs the "
    "service to set ASSAY_SMTP_HOST."
)
Refuse = Callable[[Member, datetime], str | None]


def listed(database: Database, user: User, slug: str, *, can_send_mail: bool) -> Invitations:
    """Returns how the people of the course get in. Raises NotFound, Forbidden."""
    moment = now()
    with database.read() as session:
        access = manager_access(session, user, slug)
        people = [(member, access_of(member, moment)) for member in members(session, access.course)]
        by_operator = access.role is Role.OPERATOR
        return Invitations(
            course=slug,
            can_send_mail=can_send_mail,
            counts=dict(Counter(each.way_in for _, each in people)),
            items=[
                Invitee.of(
                    member.enrollment,
                    name=member.user.name,
                    access=each,
                    can_be_mailed=member.is_open_to_invitations and member.address is not None,
                    can_be_printed=member.is_open_to_invitations
                    and member.may_be_printed(access.course, by_operator=by_operator),
                )
                for member, each in people
                if not member.is_in_use
            ],
        )


def mail(
    database: Database, user: User, slug: str, names: Sequence[str] | None, *, can_send_mail: bool, days: int
) -> Mailed:
    """Puts invitations into the queue of mails, replacing earlier ones of the same people. Without names, of everybody
    who has no way in. Raises NotFound, Forbidden, and Conflict where the service has no mail server.
    """
    if not can_send_mail:
        raise Conflict(NO_MAIL)
    moment = now()
    with database.write() as session:
        access = _held(session, user, slug)
        chosen, refused = _chosen(session, access, names, _no_mail)
        for member in chosen:
            made = _renewed(session, access.course, member, moment, days)
            made.state, made.next_try_at = InvitationState.WAITING, moment
        _note(session, user, access.course, "invitation.mail", chosen)
        return Mailed(people=[member.user.name for member in chosen], refused=refused)


def print_slips(
    database: Database, user: User, slug: str, names: Sequence[str] | None, *, address: str, days: int
) -> Slips:
    """Makes codes to hand out on paper, replacing earlier invitations of the same people. Nobody can show them again.
    Without names, for everybody who has no way in. Raises NotFound, Forbidden.
    """
    moment = now()
    with database.write() as session:
        access = _held(session, user, slug)

        def no_slip(member: Member, _: datetime) -> str | None:
            if member.may_be_printed(access.course, by_operator=access.role is Role.OPERATOR):
                return None
            return "This account is not this course's alone. Invite by e-mail, or ask an operator to print it."

        chosen, refused = _chosen(session, access, names, no_slip)
        slips = []
        for member in chosen:
            code = new_code()
            made = _renewed(session, access.course, member, moment, days)
            made.state, made.sha256 = InvitationState.OPEN, digest_of(code)
            made.is_printed, made.printed_by_id = access.role is not Role.OPERATOR, user.id
            slips.append(Slip(name=member.user.name, full_name=member.enrollment.full_name, code=code))
        _note(session, user, access.course, "invitation.print", chosen)
        return Slips(address=address, expires_at=moment + timedelta(days=days), items=slips, refused=refused)


def revoke(database: Database, user: User, slug: str, name: str) -> None:
    """Revokes a person's invitation: its code opens nothing, and a mail that waits is not sent. Raises NotFound,
    Forbidden.
    """
    with database.write() as session:
        access = _held(session, user, slug)
        query = select(Invitation).join(Invitation.user).where(Invitation.course_id == access.course.id)
        found = session.scalar(query.where(User.name == name))
        if found is None or found.state in (InvitationState.USED, InvitationState.REVOKED):
            raise NotFound(f"{name[:100]!r} has no invitation to this course that could be revoked.")
        found.state, found.sha256, found.next_try_at, found.reason = InvitationState.REVOKED, None, None, None
        audit.note(session, user, "invitation.revoke", name, access.course)


def _held(session: Session, user: User, slug: str) -> CourseAccess:
    """One at a time in each course, as with rosters."""
    access = manager_access(session, user, slug)
    hold(session, Course.id, access.course.id)
    return access


def _chosen(
    session: Session, access: CourseAccess, names: Sequence[str] | None, refuse: Refuse
) -> tuple[list[Member], list[NotInvited]]:
    """Whom to invite, and whom not and why."""
    moment, people = now(), members(session, access.course)
    if names is None:
        wanted = [member for member in people if access_of(member, moment).way_in in NO_WAY_IN]
    else:
        asked_for = set(names)
        wanted = [member for member in people if member.user.name in asked_for]
    there = {member.user.name for member in people}
    strangers = (name for name in names or () if name not in there)
    refused = [NotInvited(name=name, reason="Nobody of this name is in the course.") for name in strangers]
    chosen = []
    for member in wanted:
        reason = _objection(member) or refuse(member, moment)
        if reason is None:
            chosen.append(member)
        else:
            refused.append(NotInvited(name=member.user.name, reason=reason))
    return chosen, refused


def _objection(member: Member) -> str | None:
    if member.is_in_use:
        return "This account is in use: its owner signs in already. An operator can give out a token for it."
    if not member.is_open_to_invitations:
        return "An operator made this account, and gives out its token."
    return None


def _no_mail(member: Member, moment: datetime) -> str | None:
    if member.address is None:
        return "The account has no e-mail address. Add it to the roster, or print the invitation."
    found = member.invitation
    is_fresh = found is not None and not found.is_printed and moment - found.made_at < MAIL_PAUSE
    if found is not None and is_fresh and found.state not in (InvitationState.FAILED, InvitationState.REVOKED):
        return "This person was sent an invitation only minutes ago. Wait ten minutes before you send another."
    return None


def _renewed(session: Session, course: Course, member: Member, moment: datetime, days: int) -> Invitation:
    """The person's invitation as a new one: what an earlier code opened, it opens no more."""
    row = member.invitation
    if row is None:
        row = Invitation(course_id=course.id, user_id=member.user.id)
        session.add(row)
    row.sha256 = row.reason = row.next_try_at = None
    row.tries, row.is_printed, row.printed_by_id, row.made_at = 0, False, None, moment
    row.expires_at = moment + timedelta(days=days)
    return row


def _note(session: Session, user: User, course: Course, action: str, chosen: Sequence[Member]) -> None:
    if chosen:
        audit.note(session, user, action, course.slug, course, people=[member.user.name for member in chosen])
