"""Sends those who wait to the judges in the fair order, a few ahead: what is in Redis no longer changes its place."""

import threading
from base64 import b64encode

import structlog
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.broker import Broker, BrokerDown, PerhapsSent
from app.database import Database
from app.line.transitions import return_to_line, take_out_of_line
from app.line.waiting import line, sent
from app.models import Submission, SubmissionFile, now
from grader.messages import GradeRequest

logger = structlog.get_logger(part="line")


class Dispatcher:
    """Any process of `app` may have one: a conditional update lets one of them send a submission. Thread-safe."""

    def __init__(self, database: Database, broker: Broker, ahead: int) -> None:
        self._database = database
        self._broker = broker
        self.ahead = ahead
        self._has_arrived = False
        self._is_sending = threading.Lock()

    def send(self, least: int = 1) -> int:
        """Send the next in line, until `ahead` messages wait for a judge; nothing before there is room for `least`.

        Raises BrokerDown; the line then stays as it is.
        """
        with self._database.read() as session:
            room = self.ahead - self._sent(session)
            chosen = line(session, now())[:room] if room >= least else []
        return sum(self._send(submission_id) for submission_id in chosen)

    def refill(self) -> None:
        """For whoever comes often: the line is not sorted anew for each message that a judge has taken. Whatever
        waits for the rest of the room is sent when the next is taken."""
        self.send(least=(self.ahead + 1) // 2)

    def arrived(self) -> None:
        """One more is in line. Of many that come at one moment nobody waits for the others: while one thread sends,
        they leave word and go, and it looks once more.

        Raises BrokerDown.
        """
        self._has_arrived = True
        while self._has_arrived and self._is_sending.acquire(blocking=False):
            try:
                self._has_arrived = False
                self.send()
            finally:
                self._is_sending.release()

    @staticmethod
    def _sent(session: Session) -> int:
        return session.scalar(select(func.count()).select_from(Submission).where(sent())) or 0

    def _send(self, submission_id: str) -> bool:
        moment = now()
        with self._database.write() as session:
            if not take_out_of_line(session, submission_id, moment):
                return False
        try:
            with self._database.read() as session:
                request = grade_request(session, submission_id)
            self._broker.allow_withdrawal(submission_id)  # first: a judge that has it already must find this
            self._broker.queue(request, moment.timestamp())
        except PerhapsSent:
            raise  # a judge may have it: if none has, the sweeper misses it
        except BrokerDown:
            with self._database.write() as session:
                return_to_line(session, submission_id, moment)
            raise
        return True


def grade_request(session: Session, submission_id: str, regrade: str | None = None) -> GradeRequest:
    """The message for the judge, from the row. Raises sqlalchemy's NoResultFound."""
    row = session.scalars(select(Submission).where(Submission.id == submission_id)).one()
    files = session.scalars(select(SubmissionFile).where(SubmissionFile.submission_id == submission_id))
    return GradeRequest(
        submission_id=row.id,
        challenge=row.challenge,
        main=row.main,
        files={file.path: b64encode(file.content) for file in files},
        seed=row.seed,
        queued_at=(now() if regrade else row.created_at).timestamp(),
        regrade=regrade,
    )
