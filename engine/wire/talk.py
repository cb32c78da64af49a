"""What the course's staff wrote, about a submission and to many students at once, and what students asked them."""

from datetime import datetime

from engine.wire.base import Wire


class Comment(Wire):
    """A comment on a line of a submission; without one, on the whole of it."""

    file: str | None = None
    line: int | None = None
    text: str
    author: str
    author_full_name: str | None = None
    written_at: datetime
    edited_at: datetime | None = None


class RegradeRequest(Wire):
    """A request to look at a result again. Without an outcome it is open."""

    id: str
    reason: str
    asked_at: datetime
    outcome: str | None = None
    answer: str | None = None
    answered_by: str | None = None
    answered_by_full_name: str | None = None


class ChangedResult(Wire):
    """What a regrade has changed about one submission."""

    attempt: int
    verdict_before: str | None = None
    score_before: float | None = None
    verdict: str | None = None
    score: float | None = None


class Note(Wire):
    """A note of the course's staff to several students; of a regrade, what it has changed."""

    text: str = ""
    results: tuple[ChangedResult, ...] = ()
    author: str | None = None
    author_full_name: str | None = None


class NewsItem(Wire):
    """One thing that is new."""

    title: str
    course_title: str
    note: Note | None = None
