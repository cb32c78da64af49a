"""Similarity as staff see it: where to look, and no word about why."""

from enum import StrEnum

from pydantic import Field

from app.request_values import View
from app.similarity.forms import Reason


class Progress(StrEnum):
    """Whether the comparison is done; it takes a while."""

    COMPARING = "comparing"
    READY = "ready"
    FAILED = "failed"


class Sender(View):
    """A student, and the submission with this file."""

    student: str
    full_name: str | None
    submission: str


class Side(View):
    """A file, and everybody who sent exactly this one."""

    sent_by: list[Sender]
    lines: list[int] = Field(description="those that are alike, from 1")


class Pair(View):
    """Two files that share code."""

    id: str = Field(description="the first submission of either side, with a hyphen between")
    score: float = Field(description="the share of the smaller file's own steps that are in the other, from 0 to 1")
    reason: Reason = Field(
        description="layout: the same but for comments, annotations and layout; names: and for names; order: the same "
        "statements in another order; steps: the same operations on the same values in other statements; text: "
        "passages that read the same"
    )
    is_whole: bool = Field(description="whether that holds for the whole files, not for most of them")
    left: Side
    right: Side


class SharedLine(View):
    """A line of a file, from 1."""

    number: int
    text: str


class Cluster(View):
    """Students whose files are connected by similar pairs, each of them once."""

    students: list[Sender]
    pairs: list[str] = Field(description="ids of the pairs that tie them together, the most alike first")
    shared: list[SharedLine] = Field(
        description="the first lines of the first student's file that, in some form, all of them have"
    )


class Similarities(View):
    """Similar files among the students' best submissions. Code that was handed out, or that a third of the files have,
    is left out.
    """

    progress: Progress
    students: int
    same: list[list[Sender]] = Field(description="students who sent the same file, byte for byte")
    pairs: list[Pair]
    clusters: list[Cluster]
    left_out: int = Field(description="students beyond what is compared at once")
