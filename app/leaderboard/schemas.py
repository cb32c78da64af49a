"""A leaderboard, as students and staff see it. Students see a pseudonym and two ratios of others, and nothing else."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated

from pydantic import Field, StringConstraints

from app.leaderboard.pseudonyms import LENGTH_MAX
from app.request_values import Sent, View
from grader.measurement import Interval


class Order(StrEnum):
    """By what a board ranks."""

    TIME = "time"
    MEMORY = "memory"


class Standing(StrEnum):
    """Where an entry is on its way to a rank."""

    RANKED = "ranked"
    WAITING = "waiting"  # to be measured
    NOT_RANKED = "not_ranked"  # `problem` says why
    NOT_PASSED = "not_passed"  # a regrade took the last submission that had passed
    REMOVED = "removed"  # by staff
    HELD = "held"  # with the grades: its student is told no more


class Joining(Sent):
    """Under which pseudonym to be shown."""

    pseudonym: Annotated[str, StringConstraints(strip_whitespace=True, max_length=LENGTH_MAX)] | None = Field(
        default=None, description="null: one is drawn for a new entry; one that is there keeps its own"
    )


class StaffEntry(View):
    """Who an entry is. For staff."""

    id: str
    student: str
    full_name: str | None
    pseudonym: str
    standing: Standing
    problem: str | None
    submission: str | None = Field(description="the id of the submission that was measured")
    measured_at: datetime | None
    worker: str | None = Field(description="the worker that measured it")


class Row(View):
    """A rank on the board."""

    rank: int
    is_shared: bool = Field(description="whether others have this rank: too close to tell apart")
    pseudonym: str
    time: Interval | None
    memory: Interval | None
    is_mine: bool
    entry: StaffEntry | None = Field(description="for staff")


class MyEntry(View):
    """The entry of the student who asks."""

    pseudonym: str
    standing: Standing
    problem: str | None


class Board(View):
    """The leaderboard of an assignment."""

    course: str
    assignment: str
    title: str
    order: Order
    is_staff: bool = Field(description="whether you see who is who")
    is_held: bool = Field(description="grades are held, so that nobody is shown and nobody can join")
    rows: list[Row]
    mine: MyEntry | None
    may_join: bool
    offered: str | None = Field(description="a pseudonym by chance, for a student who may join")
    not_ranked: list[StaffEntry] = Field(description="for staff: entries that are not on the board, and why")
