"""Sends scores to platforms, and has rosters follow: a thread beside each front end.

A score is never given up: it is tried again after a pause that grows to an hour. Of several front ends, one at a time
has claimed a score, for as long as a platform may take to answer.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from http import HTTPStatus
from typing import Final

import structlog
from sqlalchemy import Update, select, update
from sqlalchemy.orm import joinedload

from app.challenges.service import Catalogue
from app.database import DATABASE_FAULTS, Database
from app.lti.advantage import PlatformServices
from app.lti.grades import Comparison
from app.lti.launches import forget_old
from app.lti.outgoing import PlatformFault, host_of, hosts_of
from app.lti.roster import follow_due
from app.models import Identity, LtiContext, LtiLineItem, LtiPlatform, LtiScore, now
from app.periodic import Periodic
from app.rows import changed_rows

BATCH: Final = 200
COMPARED_EVERY: Final = 2  # rounds: to compare costs more than to send
IN_HAND: Final = timedelta(seconds=60)
PAUSE: Final = timedelta(seconds=30)
PAUSE_MAX: Final = timedelta(hours=1)
GONE: Final = (HTTPStatus.NOT_FOUND, HTTPStatus.GONE)
logger = structlog.get_logger(part="lti")


class Courier(Periodic):
    """Sends what is due, every `every_s` seconds. `clock` is for tests, which let hours pass."""

    def __init__(
        self,
        database: Database,
        catalogue: Catalogue,
        services: PlatformServices,
        every_s: float,
        clock: Callable[[], datetime] = now,
    ) -> None:
        self._database = database
        self._comparison = Comparison(database, catalogue, every=COMPARED_EVERY * timedelta(seconds=every_s))
        self._services = services
        self._clock = clock
        super().__init__("lti_courier", self.run_once, every_s, logger, DATABASE_FAULTS)

    def stop(self, wait_s: float = 1) -> None:
        """Stops the thread. What is just being sent is sent once more later, if need be."""
        super().stop(wait_s)

    def run_once(self) -> int:
        """Looks at rosters and points, and sends what is due; returns how many scores were sent."""
        forget_old(self._database)
        follow_due(self._database, self._services)
        self._comparison.note_changes()
        return self.send_due()

    def send_due(self) -> int:
        """Sends the scores that are due; returns how many arrived. A platform that is away is asked once."""
        away: set[str] = set()
        sent = 0
        with self._database.read() as session:
            due = select(LtiScore).where(LtiScore.next_try_at <= self._clock()).order_by(LtiScore.next_try_at)
            rows = session.scalars(due.options(joinedload(LtiScore.assignment)).limit(BATCH)).all()
        for row in rows:
            if self.is_stopping:
                break
            if row.context_id not in away and self._take(row):
                sent += self._try(row, away)
        return sent

    def _take(self, row: LtiScore) -> bool:
        with self._database.write() as session:
            seen = _just(row).where(LtiScore.next_try_at == row.next_try_at)
            return changed_rows(session, seen.values(next_try_at=self._clock() + IN_HAND)) > 0

    def _try(self, row: LtiScore, away: set[str]) -> bool:
        with self._database.read() as session:
            context = session.get(LtiContext, row.context_id)
            platform = context.platform if context else None
            mine = select(Identity.subject).where(Identity.user_id == row.user_id)
            subject = session.scalar(mine.where(Identity.issuer == platform.issuer)) if platform else None
        try:
            if context is None or platform is None or context.course_id != row.assignment.course_id:
                raise PlatformFault("The courses are not connected any more.")
            if not platform.is_active:
                raise PlatformFault("An operator has deactivated the platform.")
            if subject is None:
                raise PlatformFault("The student has not opened the course from the platform yet.")
            column = self._column(platform, context, row)
            self._services.send_score(platform, column, subject, row.points, row.points_max, now())
        except PlatformFault as fault:
            if fault.status is None or fault.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
                away.add(row.context_id)
            self._note_failure(row, fault)
            return False
        with self._database.write() as session:
            session.execute(_just(row).values(sent_version=row.version, sent_at=now()))
            newest = _just(row).where(LtiScore.version == row.version)  # what has changed meanwhile waits on
            session.execute(newest.values(next_try_at=None, error=None, tries=0))
        return True

    def _column(self, platform: LtiPlatform, context: LtiContext, row: LtiScore) -> str:
        with self._database.read() as session:
            kept = session.get(LtiLineItem, (context.id, row.assignment_id))
        if kept is not None and kept.url is not None:
            return kept.url
        if context.line_items_url is None:
            raise PlatformFault("The platform does not offer its gradebook to this course.")
        found = self._services.find_column(platform, context.line_items_url, row.assignment)
        if found is None and not context.may_create_line_items:
            raise PlatformFault("Its gradebook has no column for this assignment, and it lets us make none.")
        if found is None:
            found = self._services.make_column(platform, context.line_items_url, row.assignment, row.points_max)
        if host_of(found) not in hosts_of(platform):
            raise PlatformFault("It says that the column is on a host that is not its own.")
        with self._database.write() as session:
            session.merge(LtiLineItem(context_id=context.id, assignment_id=row.assignment_id, url=found))
        return found

    def _note_failure(self, row: LtiScore, fault: PlatformFault) -> None:
        pause = min(PAUSE * 2 ** min(row.tries, 10), PAUSE_MAX)
        with self._database.write() as session:
            values = {"tries": row.tries + 1, "error": fault.sentence[:500], "next_try_at": self._clock() + pause}
            session.execute(_just(row).where(LtiScore.version == row.version).values(values))
            if fault.status in GONE:  # the column was deleted there: the next try looks for it, or makes another
                session.merge(LtiLineItem(context_id=row.context_id, assignment_id=row.assignment_id, url=None))
        logger.warning("lti_score_failed", context=row.context_id, tries=row.tries + 1, reason=fault.sentence)


def _just(row: LtiScore) -> Update:
    return update(LtiScore).where(
        LtiScore.context_id == row.context_id,
        LtiScore.assignment_id == row.assignment_id,
        LtiScore.user_id == row.user_id,
    )
