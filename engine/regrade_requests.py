"""The student's regrade requests, with what the course's staff answered."""

from collections.abc import Mapping, Sequence
from typing import Final

from engine.display import Page
from engine.times import in_zone
from engine.wire.talk import RegradeRequest

OUTCOMES: Final[Mapping[str | None, str]] = {
    None: "open: your course's staff will answer it",
    "unchanged": "nothing changed",
    "points_changed": "points changed",
    "graded_again": "graded again",
    "withdrawn": "withdrawn",
}


def tell_requests(page: Page, requests: Sequence[RegradeRequest], zone: str | None) -> None:
    """Writes the requests, the oldest first, with their times in the course's zone."""
    if requests:
        page.heading("Regrade requests" if len(requests) > 1 else "Regrade request")
    for request in requests:
        when = in_zone(request.asked_at, zone)
        page.say(f"{when}, {OUTCOMES.get(request.outcome, request.outcome)}", "dim", indent=2)
        _paragraphs(page, request.reason, 4)
        if request.answer is not None:
            page.say(f"{request.answered_by_full_name or request.answered_by} answered:", "dim", indent=4)
            _paragraphs(page, request.answer, 6)


def _paragraphs(page: Page, text: str, indent: int) -> None:
    for line in text.splitlines():
        page.say(line, indent=indent)
