"""Connections that nobody finishes: uvicorn's protocol, with a clock for what it would wait for without end.

uvicorn waits for a request's headers, for the rest of a body that nobody reads any more, and for a client that does not
read its answer, for as long as the client likes. (A connection that rests between two requests it ends after 5 s.) What
the body of a request may take while somebody reads it, `app.middleware.BodyLimit` says, which can still answer.
"""

import asyncio
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from app.settings import ApiSettings

# After the body's own time, so that whoever can answer does so first.
GRACE_S: Final = 5.0
TOO_SLOW: Final = STATUS_LINE[408] + b"content-length: 0\r\nconnection: close\r\n\r\n"


def protocol_for(settings: ApiSettings) -> type[HttpToolsProtocol]:
    """uvicorn's `http`, with the times of `settings`."""

    class Timed(TimedProtocol):
        head_s = settings.head_timeout_s
        body_s = settings.body_timeout_s + GRACE_S
        answer_s = settings.answer_timeout_s

    return Timed


class TimedProtocol(HttpToolsProtocol):
    """One for each connection."""

    head_s: float
    body_s: float
    answer_s: float

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._coming: asyncio.TimerHandle | None = None  # until the head, then the body, of a request is here
        self._unread: asyncio.TimerHandle | None = None  # until the client reads on

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._await(self.head_s)

    def connection_lost(self, exc: Exception | None) -> None:
        self._await(None)
        self.resume_writing()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Also what is no beginning yet, such as an empty line, ends the rest between two requests."""
        if self._coming is None and (self.cycle is None or self.cycle.response_complete):
            self._await(self.head_s)
        super().data_received(data)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._await(self.head_s)

    def on_headers_complete(self) -> None:
        super().on_headers_complete()
        self._await(self.body_s)

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._await(None)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._unread = self.loop.call_later(self.answer_s, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def _await(self, seconds: float | None) -> None:
        if self._coming is not None:
            self._coming.cancel()
        self._coming = None if seconds is None else self.loop.call_later(seconds, self._give_up)

    def _give_up(self) -> None:
        """Where nothing is being answered, say why."""
        if self.cycle is None or self.cycle.response_complete:
            self.transport.write(TOO_SLOW)
        self.transport.close()
