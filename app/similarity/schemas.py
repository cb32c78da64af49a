"""Similarity as staff see it: where to look, and no word about why."""

from enum import StrEnum

from pydantic import Field

from app.values import View


class Progress(StrEnum):
    """Whether the comparison is done; it takes a while."""

    COMPARING = "comparing"
    READY = "ready"
    FAILED = "failed"


class Sender(View):
    """A student, and the submission with this file."""

    student: str
    submission: str


class Side(View):
    """A file, and everybody who sent exactly this one."""

    sent_by: list[Sender]
    lines: list[int] = Field(description="those that are alike, from 1")


class Pair(View):
    """Two files that share code."""

    id: str = Field(description="the first submission of either side, with a hyphen between")
    score: float = Field(description="the share of the one file's own code that is in the other, from 0 to 1")
    left: Side
    right: Side


class Similarities(View):
    """Similar pairs among the students' best submissions. Code that was handed out, or that a third of the files have,
    is left out.
    """

    progress: Progress
    students: int
    same: list[list[Sender]] = Field(description="students who sent the same file, byte for byte")
    pairs: list[Pair]
    left_out: int = Field(description="students beyond what is compared at once")
