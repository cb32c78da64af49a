"""What is new for a person, as it is told."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated

from pydantic import Field

from app.models import NoteKind
from app.request_values import Moment, Sent, View
from grader.report import Verdict


class NewsKind(StrEnum):
    """The kinds of news. Each can be left out of the mails."""

    NOTE = "note"
    REGRADE = "regrade"
    COMMENT = "comment"
    REQUEST = "request"
    GRADES = "grades"
    POINTS = "points"  # given or taken back by staff, or for an answer that they have marked
    EXTENSION = "extension"


class ChangedResult(View):
    """What a regrade has changed about one submission."""

    submission: str
    attempt: int
    verdict_before: Verdict | None
    score_before: float | None
    verdict: Verdict | None
    score: float | None


class ReceivedNote(View):
    """A note, as somebody who got it reads it. Nothing in it says who else did."""

    id: str
    kind: NoteKind
    course: str
    course_title: str
    time_zone: str
    assignment: str | None
    assignment_title: str | None
    challenge: str | None
    text: str = Field(description="empty for a regrade")
    results: list[ChangedResult] = Field(description="of a regrade")
    author: str | None
    author_full_name: str | None
    sent_at: datetime
    shown_from: datetime = Field(description="when it could first be read, where the assignment kept results back")
    read_at: datetime | None


class NewsItem(View):
    """One thing that is new."""

    kind: NewsKind
    at: datetime
    title: str
    course_title: str
    time_zone: str
    link: str = Field(description="the path of the page that tells it")
    note: ReceivedNote | None = None


class News(View):
    """What is new for you, the newest first."""

    items: list[NewsItem]


class ReceivedNotes(View):
    """The notes that you got, the newest first."""

    items: list[ReceivedNote]


class Seen(Sent):
    """Up to when you have read what is new: the `at` of the newest item that you saw."""

    until: Moment


class MailChoices(Sent):
    """What you are not mailed about."""

    not_mailed: Annotated[list[NewsKind], Field(max_length=len(NewsKind), fail_fast=True)]
