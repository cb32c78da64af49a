"""How every process of ours writes its log: event name first, fields after. Source code and case data never go in."""

import logging
import sys
from contextlib import suppress
from typing import Any, TextIO

import structlog


def configure(*, as_json: bool = False) -> None:
    """Sets up the log. Call once, at the edge of a process."""
    # The plain traceback: the default one prints local variables, which hold tokens and students' source.
    readable = structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)
    renderer: Any = structlog.processors.JSONRenderer() if as_json else readable
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info if as_json else _unchanged,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.PrintLoggerFactory(_Expendable(sys.stderr)),  # type: ignore[arg-type]  # all it needs
        cache_logger_on_first_use=False,
    )


class _Expendable:
    """A stream that loses a line rather than raise: on a full disk the service works on without a log."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> None:
        with suppress(OSError):
            self._stream.write(text)

    def flush(self) -> None:
        with suppress(OSError):
            self._stream.flush()


def _unchanged(_logger: Any, _method: str, event: Any) -> Any:
    return event
