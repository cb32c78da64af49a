"""Sends the invitations that wait in the database. A row is the queue's entry: claimed, sent, concluded."""

import threading
from dataclasses import dataclass
from datetime import datetime, timedelta
from smtplib import SMTP
from typing import Final

import structlog
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from app.accounts.codes import digest_of, new_code
from app.database import DATABASE_FAULTS, Database
from app.invitations.letter import Letter, NoAddress, written
from app.invitations.people import members
from app.invitations.post import SERVER_FAULTS, Outcome, Posted, connected, is_alive, post, reason_of
from app.metrics import RecorderMetrics
from app.models import Invitation, InvitationState, User, now
from app.settings import RecorderSettings

LOOK_EVERY_S: Final = 2.0
AFTER_A_FAULT_S: Final = 30.0
FIRST_PAUSE: Final = timedelta(minutes=1)
LONGEST_PAUSE: Final = timedelta(hours=2)
TRIES_MAX: Final = 12  # most of a day
LEASE: Final = timedelta(minutes=10)  # far longer than any message takes
BATCH: Final = 50  # messages between two looks at whether to stop
LOST: Final = "The service stopped while the mail was sent, so it may have arrived. If not, send it again."
NO_ADDRESS: Final = "This is not an address that mail can be sent to. Correct it on the roster."
logger = structlog.get_logger(part="mail")


@dataclass(frozen=True)
class Mailer:
    """Sends what waits. Several recorders may each have one: a claim in the database lets one of them send."""

    database: Database
    settings: RecorderSettings
    metrics: RecorderMetrics

    def send_waiting(self) -> int:
        """Sends what is due, and returns how many mails it dealt with. Raises SERVER_FAULTS when the server cannot be
        reached, and the database's faults.
        """
        letter, count = self._claim(), 0
        try:
            while letter is not None and count < BATCH:
                with connected(self.settings) as server:
                    while letter is not None:
                        self._conclude(letter, self._posted(server, letter))
                        letter, count = None, count + 1
                        if count < BATCH and is_alive(server):
                            letter = self._claim()
        except SERVER_FAULTS as error:
            if letter is not None:  # nobody has it yet
                self._conclude(letter, Posted(Outcome.LATER, reason_of(error)))
            raise
        return count

    def _posted(self, server: SMTP, letter: Letter) -> Posted:
        sender, page = self.settings.mail_from, str(self.settings.public_url)
        try:
            return post(server, written(letter, sender, page), sender, letter.address)
        except NoAddress:
            return Posted(Outcome.FAILED, NO_ADDRESS)

    def _claim(self) -> Letter | None:
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
                letter = _letter(session, row, moment)
                if letter is not None:
                    return letter
        return None

    def _conclude(self, letter: Letter, posted: Posted) -> None:
        """Writes down what became of it, unless somebody has invited the person anew meanwhile."""
        with self.database.write() as session:
            mine = (Invitation.id == letter.invitation_id, Invitation.sha256 == letter.sha256)
            query = select(Invitation).where(*mine, Invitation.state == InvitationState.SENDING).with_for_update()
            row = session.scalar(query)
            if row is not None:
                _note(row, posted)
        self.metrics.mails.labels(posted.outcome).inc()
        if posted.outcome is not Outcome.SENT:
            logger.warning("mail_not_sent", invitation=letter.invitation_id, reason=posted.reason)


class MailThread:
    """A thread beside the recorder that sends what waits. Without a mail server it does nothing."""

    def __init__(self, mailer: Mailer) -> None:
        self._mailer = mailer
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._loop, name="mailer", daemon=True)

    def start(self) -> None:
        """Starts the thread, where there is a mail server."""
        if self._mailer.settings.smtp_host:
            self._thread.start()

    def stop(self) -> None:
        """Stops the thread, and waits for it."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(timeout=5)

    def _loop(self) -> None:
        pause_s = LOOK_EVERY_S
        while not self._stop.wait(pause_s):
            pause_s = AFTER_A_FAULT_S
            try:
                self._mailer.send_waiting()
            except (*SERVER_FAULTS, *DATABASE_FAULTS) as error:
                logger.error("mailing_failed", reason=type(error).__name__)  # its text may hold addresses
            except Exception as error:
                logger.error("mailing_failed", exc_info=error)
            else:
                pause_s = LOOK_EVERY_S


def _letter(session: Session, row: Invitation, moment: datetime) -> Letter | None:
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
    return Letter(row.id, row.sha256, address, row.course.title, row.course.time_zone, row.expires_at, code)


def _note(row: Invitation, posted: Posted) -> None:
    row.reason, row.next_try_at = posted.reason, None
    if posted.outcome is Outcome.SENT:
        row.state = InvitationState.OPEN
    elif posted.outcome is Outcome.FAILED or row.tries >= TRIES_MAX:
        row.state = InvitationState.FAILED
    else:
        row.state = InvitationState.WAITING
        row.next_try_at = now() + min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (row.tries - 1))
