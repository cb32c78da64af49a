"""Connections that nobody finishes, or that break off: uvicorn's protocol, with a clock for what it would wait for
without end, a count of what it would keep without end, and one answer for each request.

uvicorn waits for a request's headers, for the rest of a body that nobody reads any more, and for a client that does not
read its answer, for as long as the client likes. (A connection that rests between two requests it ends after 5 s.) What
the body of a request may take while somebody reads it, `app.middleware.BodyLimit` says, which can still answer.
"""

import asyncio
from http import HTTPStatus
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from app.settings import ApiSettings

# After the body's own time, so that whoever can answer does so first.
GRACE_S: Final = 5.0
# Nothing below this counts them: a header that never ends would stay in memory, whole. What is within this and still
# too long `app.middleware.HeadLimit` refuses, which can say why.
HEAD_BYTES_MAX: Final = 64 << 10
_NO_MORE: Final = b"content-length: 0\r\nconnection: close\r\n\r\n"
TOO_SLOW: Final = STATUS_LINE[HTTPStatus.REQUEST_TIMEOUT] + _NO_MORE
TOO_LARGE: Final = STATUS_LINE[HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE] + _NO_MORE


def protocol_for(settings: ApiSettings) -> type[HttpToolsProtocol]:
    """Returns uvicorn's `http` protocol with the timeouts of `settings`."""

    class Timed(TimedProtocol):
        head_s = settings.head_timeout_s
        body_s = settings.body_timeout_s + GRACE_S
        answer_s = settings.answer_timeout_s

    return Timed


class TimedProtocol(HttpToolsProtocol):
    """An HTTP connection that is closed when its client is too slow. One instance for each connection."""

    head_s: float
    body_s: float
    answer_s: float

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._coming: asyncio.TimerHandle | None = None  # until the head, then the body, of a request is here
        self._unread_bytes = 0  # of a head, or of what follows a body, that came since anything was whole
        self._is_refused = False
        self._is_body_coming = False
        self._unread: asyncio.TimerHandle | None = None  # until the client reads on

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Starts waiting for the head of the first request."""
        super().connection_made(transport)
        self._await(self.head_s)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stops all waiting."""
        self._await(None)
        self.resume_writing()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Ends the idle time between two requests, also when the bytes are no request yet, such as an empty line."""
        if self._is_refused:
            return
        if self._coming is None and self._is_idle():
            self._await(self.head_s)
        self._unread_bytes += len(data)
        super().data_received(data)
        if self._unread_bytes > HEAD_BYTES_MAX:
            self._refuse()

    def on_message_begin(self) -> None:
        """Waits for the rest of the head."""
        super().on_message_begin()
        self._await(self.head_s)

    def on_headers_complete(self) -> None:
        """Waits for the body."""
        super().on_headers_complete()
        self._is_body_coming = True
        self._unread_bytes = 0
        self._await(self.body_s)

    def on_body(self, body: bytes) -> None:
        """Notes that the client still sends."""
        super().on_body(body)
        self._unread_bytes = 0

    def on_message_complete(self) -> None:
        """Stops waiting, as the request is complete."""
        super().on_message_complete()
        self._is_body_coming = False
        self._unread_bytes = 0
        self._await(None)

    def send_400_response(self, msg: str) -> None:
        """Refuses bytes that cannot be parsed. uvicorn would also do so after, or amid, an answer that has begun, and a
        proxy would take that for the answer to its next request.
        """
        if self._is_ours_to_answer():
            super().send_400_response(msg)
        else:
            self.transport.close()

    def pause_writing(self) -> None:
        """Starts waiting for the client to read the answer."""
        super().pause_writing()
        self._unread = self.loop.call_later(self.answer_s, self.transport.abort)

    def resume_writing(self) -> None:
        """Stops waiting, as the client reads again."""
        super().resume_writing()
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def _await(self, seconds: float | None) -> None:
        if self._coming is not None:
            self._coming.cancel()
        self._coming = None if seconds is None else self.loop.call_later(seconds, self._give_up)

    def _is_idle(self) -> bool:
        """Nothing is being answered."""
        return self.cycle is None or bool(self.cycle.response_complete)

    def _is_ours_to_answer(self) -> bool:
        """Whether what is coming in has had no answer. Then it is answered here, and by nobody else any more."""
        if not self._is_body_coming:
            return self._is_idle()
        if self.cycle.response_started or self.pipeline:
            return False
        self.cycle.disconnected = True
        return True

    def _give_up(self) -> None:
        """Say why, unless there was an answer."""
        if not self._is_refused and self._is_ours_to_answer():
            self.transport.write(TOO_SLOW)
        self.transport.close()

    def _refuse(self) -> None:
        """Whoever is still sending would not read the answer on a connection that was ended: what else comes is dropped
        until the time for a head is over.
        """
        if self.transport.is_closing():
            return
        if self._is_ours_to_answer():
            self._is_refused = True
            self.transport.write(TOO_LARGE)
        else:
            self.transport.close()
