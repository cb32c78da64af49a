"""Notes, as staff send them and see what became of them."""

from datetime import datetime
from typing import Annotated, Self

from pydantic import Field, StringConstraints, model_validator

from app.models import NoteKind
from app.request_values import Paragraphs, Sent, Slug, View

Misconception = Annotated[str, StringConstraints(min_length=1, max_length=100)]


class NewNote(Sent):
    """A note to send: to everybody in the course, or to those who still hold a misconception."""

    assignment: Slug | None = Field(default=None, description="what it is about; null: the whole course")
    misconception: Misconception | None = Field(
        default=None, description="only those whose last submission to the assignment shows it; null: everybody"
    )
    text: Paragraphs
    audience: Annotated[str, StringConstraints(max_length=64)] | None = Field(
        default=None, description="the `version` of the audience that you looked at; another one now gives 409"
    )

    @model_validator(mode="after")
    def _has_the_assignment_of_its_misconception(self) -> Self:
        if self.misconception is not None and self.assignment is None:
            raise ValueError("Say in which assignment the misconception shows.")
        return self


class Recipient(View):
    """Somebody who would get a note."""

    name: str
    full_name: str | None


class AudienceView(View):
    """Who would get a note now, by name. Nobody who gets it learns who else does."""

    title: str | None = Field(description="of the misconception")
    version: str
    people: list[Recipient]


class SentNote(View):
    """A note that was sent, and how many of those who got it have read it."""

    id: str
    kind: NoteKind
    assignment: str | None
    assignment_title: str | None
    misconception: str | None
    misconception_title: str | None
    regrade: str | None
    text: str
    author: str | None = Field(description="null: the service, when a regrade was applied")
    author_full_name: str | None
    sent_at: datetime
    recipients: int
    read: int


class SentNotes(View):
    """A page of the notes sent in a course, the newest first."""

    items: list[SentNote]
    next_cursor: str | None
