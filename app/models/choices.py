"""The closed choices of the tables."""

from enum import StrEnum


class Role(StrEnum):
    """What a person may do. An assistant is one in a course only; an operator, in the whole service."""

    STUDENT = "student"
    ASSISTANT = "assistant"
    INSTRUCTOR = "instructor"
    OPERATOR = "operator"


class ActorKind(StrEnum):
    """Who did what the audit log tells."""

    ACCOUNT = "account"
    COMMAND_LINE = "command line"


class Proof(StrEnum):
    """How somebody showed who they are when they signed in with a browser."""

    TOKEN = "token"  # noqa: S105 - no password
    PROVIDER = "provider"


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


class SubmissionKind(StrEnum):
    """What a submission is to: the challenge itself, or the bug hunt that follows it."""

    BUILD = "build"
    HUNT = "hunt"


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


class Unlock(StrEnum):
    """When the questions of an assignment are asked."""

    ALWAYS = "always"  # with the first graded submission
    ON_PASS = "on_pass"  # noqa: S105 - no password
    AFTER_ATTEMPTS = "after_attempts"  # or as soon as one has passed


class Solutions(StrEnum):
    """When a student is shown the right answer to a question that they did not find."""

    NEVER = "never"
    AFTER_CLOSING = "after_closing"
    AFTER_ATTEMPTS = "after_attempts"  # when the student has used up the answers to it; at the latest after closing
