"""What the course's staff wrote about a submission, and what its student asked them."""

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


class CommentList(Wire):
    """The comments on a submission."""

    items: tuple[Comment, ...] = ()


class RegradeRequest(Wire):
    """A request to look at a result again. Without an outcome it is open."""

    id: str
    reason: str
    asked_at: datetime
    outcome: str | None = None
    answer: str | None = None
    answered_by: str | None = None
    answered_by_full_name: str | None = None


class RegradeRequestList(Wire):
    """The requests on a submission."""

    items: tuple[RegradeRequest, ...] = ()
