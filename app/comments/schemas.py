"""Comments, as they are sent and shown."""

from datetime import datetime
from typing import Annotated, Self

from pydantic import Field, StringConstraints, model_validator

from app.request_values import Paragraphs, Sent, View

LINE_MAX = 1_000_000


class Place(Sent):
    """What a comment is about. Without a line it is the whole submission."""

    file: Annotated[str, StringConstraints(max_length=255)] | None = Field(
        default=None, description="the path of the file that the line is in; null: the uploaded file"
    )
    line: Annotated[int, Field(ge=1, le=LINE_MAX)] | None = None

    @model_validator(mode="after")
    def _has_a_line_where_it_has_a_file(self) -> Self:
        if self.file is not None and self.line is None:
            raise ValueError("Say which line of the file it is about, or leave the file out.")
        return self


class NewComment(Place):
    """A comment to write."""

    text: Paragraphs


class ChangedComment(Sent):
    """What a comment is to say instead."""

    text: Paragraphs


class CommentView(View):
    """A comment. People are told by the name that the course uses, and their account's."""

    id: str
    file: str | None
    line: int | None
    text: str
    author: str
    author_full_name: str | None
    written_at: datetime
    edited_at: datetime | None
    edited_by: str | None = Field(description="the name of whoever changed it last")
    may_change: bool = Field(description="whether you may change and delete it")


class CommentList(View):
    """The comments on a submission: those on the whole first, then by file and line."""

    items: list[CommentView]
