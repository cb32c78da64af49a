"""Puts back what was lost or failed, tells the student, and tells the operator when it gives up."""

from enum import StrEnum

import structlog

from app.broker import Broker, BrokerDown
from app.database import Database
from app.line.transitions import put_back
from app.metrics import RecorderMetrics
from app.models import State
from app.settings import RecorderSettings

logger = structlog.get_logger(part="line")


class Reason(StrEnum):
    """Why a submission is graded once more."""

    LOST_MESSAGE = "lost_message"  # queued, but no message waits for a judge
    LOST_JUDGE = "lost_judge"  # running, but its judge's lease has run out
    FAULT = "fault"  # a judge gave it back


class Requeue:
    """Two that do it at once do it once."""

    def __init__(
        self, settings: RecorderSettings, database: Database, broker: Broker, metrics: RecorderMetrics
    ) -> None:
        self._settings = settings
        self._database = database
        self._broker = broker
        self._metrics = metrics

    def put_back(self, submission_id: str, seen: State, requeues: int, reason: Reason, detail: str = "") -> bool:
        """False when the row no longer is in the state that was seen."""
        fault = detail or reason
        with self._database.write() as session:
            state = put_back(session, self._settings, submission_id, seen, requeues, fault)
            if state is State.QUEUED:
                self._reopen(submission_id)
        if state is None:
            return False
        told = {"submission_id": submission_id, "reason": reason, "detail": detail, "requeues": requeues + 1}
        if state is State.CANCELLED:
            self._metrics.given_up.inc()
            logger.error("submission_given_up", **told)
        else:
            self._metrics.requeues.labels(reason).inc()
            logger.warning("submission_put_back", **told)
        self._tell(submission_id, state)
        return True

    def _reopen(self, submission_id: str) -> None:
        """Its student may have begun to take it back, in a process that died over it. While the row is locked here,
        nobody does.
        """
        try:
            self._broker.reopen(submission_id)
        except BrokerDown as error:  # then judges leave it alone, and it is missed once more
            logger.warning("withdrawal_not_undone", submission_id=submission_id, reason=str(error))

    def _tell(self, submission_id: str, state: State) -> None:
        try:
            if state.is_final:
                self._broker.end(submission_id, state)
            else:
                self._broker.tell(submission_id, "state", {"state": state})
        except BrokerDown as error:  # those who watch find it in the row
            logger.warning("state_not_told", submission_id=submission_id, reason=str(error))
