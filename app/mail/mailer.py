"""Sends the mails that wait in the database, of all kinds, over one connection."""

from collections.abc import Sequence
from dataclasses import dataclass
from smtplib import SMTP
from typing import Final

import structlog

from app.database import DATABASE_FAULTS
from app.mail.message import Letter, NoAddress, message_of
from app.mail.post import NO_ADDRESS, SERVER_FAULTS, MailOutcome, Posted, connected, is_alive, post, reason_of
from app.mail.queue import BATCH, Claimed, MailQueue
from app.metrics import RecorderMetrics
from app.periodic import Periodic
from app.settings import RecorderSettings

LOOK_EVERY_S: Final = 2.0
AFTER_A_FAULT_S: Final = 30.0
logger = structlog.get_logger(part="mail")


@dataclass(frozen=True)
class Mailer:
    """Sends what waits. Several recorders may each have one: a claim in the database lets one of them send."""

    settings: RecorderSettings
    metrics: RecorderMetrics
    queues: Sequence[MailQueue]

    def send_waiting(self) -> int:
        """Sends what is due, and returns how many mails it dealt with. Raises SERVER_FAULTS when the server cannot be
        reached, and the database's faults.
        """
        return sum(self._send(queue) for queue in self.queues)

    def _send(self, queue: MailQueue) -> int:
        claimed, count = self._claim(queue), 0
        try:
            while claimed is not None and count < BATCH:
                with connected(self.settings) as server:
                    while claimed is not None:
                        self._conclude(queue, claimed, self._posted(server, claimed.letter))
                        claimed, count = None, count + 1
                        if count < BATCH and is_alive(server):
                            claimed = self._claim(queue)
        except SERVER_FAULTS as error:
            if claimed is not None:  # nobody has it yet
                self._conclude(queue, claimed, Posted(MailOutcome.LATER, reason_of(error)))
            raise
        return count

    def _claim(self, queue: MailQueue) -> Claimed | None:
        return queue.claim(str(self.settings.public_url))

    def _posted(self, server: SMTP, letter: Letter) -> Posted:
        sender, page = self.settings.mail_from, str(self.settings.public_url)
        try:
            return post(server, message_of(letter, sender, page), sender, letter.address)
        except NoAddress:
            return Posted(MailOutcome.FAILED, NO_ADDRESS)

    def _conclude(self, queue: MailQueue, claimed: Claimed, posted: Posted) -> None:
        claimed.conclude(posted)
        self.metrics.mails.labels(queue.kind, posted.outcome).inc()
        if posted.outcome is not MailOutcome.SENT:
            logger.warning("mail_not_sent", kind=queue.kind, subject=claimed.subject_id, reason=posted.reason)


def mailing(mailer: Mailer) -> Periodic:
    """Returns the thread beside the recorder that sends what waits."""
    return Periodic(
        "mailing",
        mailer.send_waiting,
        LOOK_EVERY_S,
        logger,
        (*SERVER_FAULTS, *DATABASE_FAULTS),
        after_fault_s=AFTER_A_FAULT_S,
        reason_of=lambda error: type(error).__name__,  # its text may hold addresses
    )
