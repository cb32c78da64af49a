"""What the course's staff wrote about a submission."""

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
