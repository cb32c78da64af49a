"""The digest: one mail a day about what is new and unread. It names no grade and holds no code: titles and a link.

A row for each person is the queue's entry. What could first be seen between `told_until` and `tells_until` is in the
mail that is sent now; when it may have arrived, the first becomes the second: so nothing is mailed twice, and what was
not sent is in the next.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final
from zoneinfo import ZoneInfo

from sqlalchemy import or_, select, update
from sqlalchemy.orm import Session

from app.database import Database
from app.mail.post import MailOutcome, Posted
from app.mail.queue import BATCH, LEASE, TRIES_MAX, Claimed, pause_after
from app.models import Course, Digest, Enrollment, MailState, Reader, Role, User, now
from app.news.choices import is_mailed, mail_secret_of
from app.news.digest import digest_letter
from app.news.schemas import NewsItem
from app.news.service import news_in
from app.rows import add_unless_there, changed_rows

HOURS: Final = range(7, 21)  # of the course's day: the mail is planned at the first, or when the service is back
BETWEEN: Final = timedelta(hours=20)  # two mails to one person, also where zones and clocks change
FIRST_LOOK: Final = timedelta(days=1)  # how far back the first mail to somebody goes
SETTLED: Final = timedelta(minutes=2)  # what is younger may belong to a transaction that has not ended
PLAN_EVERY_S: Final = 60.0
CHUNK: Final = 100  # people planned for in one transaction: SQLite has one writer


@dataclass
class Digests:
    """Digests that wait to be mailed."""

    database: Database
    kind: str = "digest"
    _next_plan: float = field(default=0.0, init=False)

    def claim(self, public_url: str) -> Claimed | None:
        """Takes the oldest digest that is due and has something to tell."""
        moment = now()
        if time.monotonic() >= self._next_plan:
            plan(self.database, moment)
            self._next_plan = time.monotonic() + PLAN_EVERY_S
        for _ in range(BATCH):
            due = self._due(moment)
            if due is None:
                return None
            claimed = self._claimed(due, moment, public_url)
            if claimed is not None:
                return claimed
        return None

    def _due(self, moment: datetime) -> Digest | None:
        is_due = (Digest.state != MailState.IDLE, Digest.next_try_at <= moment)
        with self.database.read() as session:
            return session.scalar(select(Digest).where(*is_due).order_by(Digest.next_try_at, Digest.user_id).limit(1))

    def _claimed(self, row: Digest, moment: datetime, public_url: str) -> Claimed | None:
        """Takes this one, unless another recorder did, or there is nothing to tell."""
        if row.state is MailState.SENDING:  # a recorder died over it: it may have arrived
            self._change(row, state=MailState.IDLE, told_until=row.tells_until, next_try_at=None)
            return None
        until = moment - SETTLED
        with self.database.read() as session:
            user = session.get_one(User, row.user_id)
            items = _to_tell(session, user, row.told_until, until)
        if user.email is None or not items:
            self._change(row, state=MailState.IDLE, told_until=until, next_try_at=None)
            return None
        secret = mail_secret_of(self.database, user)
        taken = {"state": MailState.SENDING, "tries": row.tries + 1, "tells_until": until}
        if not self._change(row, **taken, next_try_at=moment + LEASE):
            return None
        letter = digest_letter(user, user.email, secret, items, public_url)
        return Claimed(user.id, letter, partial(self._conclude, user.id, until, row.tries + 1))

    def _change(self, row: Digest, **values: Any) -> bool:
        """Changes a row that is still as it was read."""
        same = (Digest.user_id == row.user_id, Digest.state == row.state, Digest.next_try_at == row.next_try_at)
        with self.database.write() as session:
            return changed_rows(session, update(Digest).where(*same).values(values)) == 1

    def _conclude(self, user_id: str, until: datetime, tries: int, posted: Posted) -> None:
        values: dict[str, Any] = {"state": MailState.IDLE, "next_try_at": None, "reason": posted.reason}
        if posted.may_have_arrived:
            values |= {"told_until": until, "last_at": now()}
        elif posted.outcome is MailOutcome.LATER and tries < TRIES_MAX:
            values |= {"state": MailState.WAITING, "next_try_at": now() + pause_after(tries)}
        mine = (Digest.user_id == user_id, Digest.state == MailState.SENDING, Digest.tells_until == until)
        with self.database.write() as session:
            session.execute(update(Digest).where(*mine).values(values))


def plan(database: Database, moment: datetime) -> None:
    """Puts a digest into the queue for everybody who is due to get one, where it is day in their course."""
    with database.read() as session:
        zones = session.scalars(select(Course.time_zone).distinct()).all()
        awake = [zone for zone in zones if moment.astimezone(ZoneInfo(zone)).hour in HOURS]
        due = _due_people(session, awake, moment)
    for start in range(0, len(due), CHUNK):
        with database.write() as session:
            _plan(session, due[start : start + CHUNK], moment)


def _plan(session: Session, people: Sequence[str], moment: datetime) -> None:
    waiting = {"state": MailState.WAITING, "last_at": moment, "next_try_at": moment, "tries": 0}
    known = set(session.scalars(select(Digest.user_id).where(Digest.user_id.in_(people))))
    is_old = (Digest.user_id.in_(known), Digest.state == MailState.IDLE, Digest.last_at <= moment - BETWEEN)
    session.execute(update(Digest).where(*is_old).values(waiting))
    for user_id in people:
        if user_id not in known:
            add_unless_there(session, Digest(user_id=user_id, told_until=moment - FIRST_LOOK, **waiting))


def _due_people(session: Session, zones: Sequence[str], moment: datetime) -> list[str]:
    """Students who use their account, have an address, and want mail of anything."""
    there = select(Enrollment.user_id).join(Course, Course.id == Enrollment.course_id)
    there = there.where(Course.time_zone.in_(zones), Enrollment.role == Role.STUDENT)
    query = (
        select(User.id, Reader.not_mailed)
        .outerjoin(Digest, Digest.user_id == User.id)
        .outerjoin(Reader, Reader.user_id == User.id)
        .where(User.id.in_(there), User.email.is_not(None), User.first_used_at.is_not(None))
        .where(or_(Digest.user_id.is_(None), (Digest.state == MailState.IDLE) & (Digest.last_at <= moment - BETWEEN)))
    )
    return [user_id for user_id, not_mailed in session.execute(query) if is_mailed(not_mailed)]


def _to_tell(session: Session, user: User, since: datetime, until: datetime) -> list[NewsItem]:
    reader = session.get(Reader, user.id)
    not_mailed = reader.not_mailed if reader is not None else []
    return [item for item in news_in(session, user) if since < item.at <= until and item.kind not in not_mailed]
