"""The mails of invitations that wait in the database. A row is the queue's entry."""

from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Final

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from app.accounts.codes import digest_of, new_code
from app.database import Database
from app.invitations.letter import invitation_letter
from app.invitations.people import members
from app.mail.message import Letter
from app.mail.post import NO_ADDRESS, MailOutcome, Posted
from app.mail.queue import BATCH, LEASE, TRIES_MAX, Claimed, pause_after
from app.models import Invitation, InvitationState, User, now

LOST: Final = "The service stopped while the mail was sent, so it may have arrived. If not, send it again."


@dataclass(frozen=True)
class InvitationMails:
    """Invitations that wait to be mailed."""

    database: Database
    kind: str = "invitation"

    def claim(self, public_url: str) -> Claimed | None:
        """Takes the oldest mail that is due, under a code that replaces the one before."""
        moment = now()
        is_due = Invitation.next_try_at <= moment
        with self.database.read() as session:
            if session.scalar(select(Invitation.id).where(is_due).limit(1)) is None:
                return None
        with self.database.write() as session:
            lost = update(Invitation).where(Invitation.state == InvitationState.SENDING, is_due)
            session.execute(lost.values(state=InvitationState.FAILED, reason=LOST, next_try_at=None))
            query = select(Invitation).where(Invitation.state == InvitationState.WAITING, is_due)
            query = query.order_by(Invitation.next_try_at, Invitation.id).with_for_update(skip_locked=True)
            for row in session.scalars(query.limit(BATCH)).all():
                letter = _letter(session, row, moment, public_url)
                if letter is not None:
                    return Claimed(row.id, letter, partial(self._conclude, row.id, row.sha256))
        return None

    def _conclude(self, invitation_id: str, sha256: str | None, posted: Posted) -> None:
        """Writes down what became of it, unless somebody has invited the person anew meanwhile."""
        with self.database.write() as session:
            mine = (Invitation.id == invitation_id, Invitation.sha256 == sha256)
            query = select(Invitation).where(*mine, Invitation.state == InvitationState.SENDING).with_for_update()
            row = session.scalar(query)
            if row is not None:
                _note(row, posted)


def _letter(session: Session, row: Invitation, moment: datetime, public_url: str) -> Letter | None:
    """Returns the letter, and marks the row as being sent; None for who needs none any more."""
    people = members(session, row.course, User.id == row.user_id)
    if not people or not people[0].is_open_to_invitations or row.expires_at <= moment:
        row.state, row.next_try_at, row.reason = InvitationState.REVOKED, None, None
        return None
    address = people[0].address
    if address is None:
        row.state, row.next_try_at, row.reason = InvitationState.FAILED, None, NO_ADDRESS
        return None
    code = new_code()
    row.state, row.sha256, row.tries = InvitationState.SENDING, digest_of(code), row.tries + 1
    row.next_try_at = moment + LEASE
    return invitation_letter(row, address, code, public_url)


def _note(row: Invitation, posted: Posted) -> None:
    row.reason, row.next_try_at = posted.reason, None
    if posted.outcome is MailOutcome.SENT:
        row.state = InvitationState.OPEN
    elif posted.outcome is MailOutcome.FAILED or row.tries >= TRIES_MAX:
        row.state = InvitationState.FAILED
    else:
        row.state = InvitationState.WAITING
        row.next_try_at = now() + pause_after(row.tries)
