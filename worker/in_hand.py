"""What was dealt with is no longer in hand, also where Redis was away and never heard so."""

from celery.worker.request import Request
from kombu.transport.virtual import QoS


class Dealt(Request):  # type: ignore[misc]  # celery is not annotated
    """An acknowledgement that does not reach Redis is logged by Celery, and its message counted on: a worker that takes
    one at a time would take nothing more, for ever. Redis hands the message to somebody in time, who finds it settled.
    """

    def acknowledge(self) -> None:
        super().acknowledge()
        self._let_go()

    def reject(self, requeue: bool = False) -> None:
        super().reject(requeue)
        self._let_go()

    def _let_go(self) -> None:
        QoS.ack(self.message.channel.qos, self.message.delivery_tag)  # type: ignore[no-untyped-call]
