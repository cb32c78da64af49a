"""How every process of ours writes its log: event name first, fields after. Source code and case data never go in."""

import logging
import sys
from typing import Any

import structlog


def configure(*, as_json: bool = False) -> None:
    """Call once, at the edge of a process."""
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
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=False,
    )


def _unchanged(_logger: Any, _method: str, event: Any) -> Any:
    return event
