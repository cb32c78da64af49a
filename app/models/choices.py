"""The closed choices of the tables."""

from enum import StrEnum


class Role(StrEnum):
    """What a person may do. An assistant is one in a course only; an operator, in the whole service."""

    STUDENT = "student"
    ASSISTANT = "assistant"
    INSTRUCTOR = "instructor"
    OPERATOR = "operator"


class State(StrEnum):
    """Where a submission stands."""

    QUEUED = "queued"
    RUNNING = "running"
    GRADED = "graded"
    CANCELLED = "cancelled"
    SUPERSEDED = "superseded"

    @property
    def is_final(self) -> bool:
        return self not in (State.QUEUED, State.RUNNING)


OPEN_STATES = (State.QUEUED, State.RUNNING)


OPEN_STATES = (State.QUEUED, State.RUNNING)
STAFF = (Role.ASSISTANT, Role.INSTRUCTOR)


class Feedback(StrEnum):
    """How much of a report a student sees before the assignment closes."""

    FULL = "full"
    FAMILIES = "families"  # which tests passed and failed, and nothing of why
    VERDICT = "verdict"


class RegradeState(StrEnum):
    """Where a regrade stands."""

    GRADING = "grading"
    READY = "ready"  # a preview: nothing has changed yet
    APPLIED = "applied"
    DROPPED = "dropped"


class PartKind(StrEnum):
    """What a report has results for."""

    FAMILY = "family"
    RULE = "rule"
