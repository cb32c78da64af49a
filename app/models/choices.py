"""The closed choices of the tables."""

from enum import StrEnum


class Role(StrEnum):
    """What a person may do. An assistant is one in a course only; an operator, in the whole service."""

    STUDENT = "student"
    ASSISTANT = "assistant"
    INSTRUCTOR = "instructor"
    OPERATOR = "operator"


class ActorKind(StrEnum):
    """Who did what an audit entry says."""

    ACCOUNT = "account"
    COMMAND_LINE = "command line"


class Proof(StrEnum):
    """How somebody proved who they are when they signed in with a browser."""

    TOKEN = "token"  # noqa: S105 - no password
    PROVIDER = "provider"
    LINK = "link"  # a sign-in link that an operator made at the command line


class InvitationState(StrEnum):
    """What became of an invitation."""

    WAITING = "waiting"  # for its mail to be sent
    SENDING = "sending"
    OPEN = "open"  # its code was sent or printed
    FAILED = "failed"  # its mail was not sent; `reason` says why
    USED = "used"
    REVOKED = "revoked"


class State(StrEnum):
    """The state of a submission."""

    QUEUED = "queued"
    RUNNING = "running"
    GRADED = "graded"
    CANCELLED = "cancelled"
    SUPERSEDED = "superseded"

    @property
    def is_final(self) -> bool:
        """Whether the submission has reached a terminal state."""
        return self not in (State.QUEUED, State.RUNNING)


OPEN_STATES = (State.QUEUED, State.RUNNING)
STAFF = (Role.ASSISTANT, Role.INSTRUCTOR)


class JobState(StrEnum):
    """The state of a job."""

    WAITING = "waiting"  # not dispatched yet
    DISPATCHED = "dispatched"  # a message was sent, and no judge has told that it began
    RUNNING = "running"
    DONE = "done"
    GIVEN_UP = "given_up"  # the service failed on it too often
    WITHDRAWN = "withdrawn"  # nobody wants it any more

    @property
    def is_open(self) -> bool:
        """Whether the job has not reached a terminal state."""
        return self in OPEN_JOB_STATES


OPEN_JOB_STATES = (JobState.WAITING, JobState.DISPATCHED, JobState.RUNNING)


class SubmissionKind(StrEnum):
    """What a submission answers: the challenge itself, or the bug hunt that follows it."""

    BUILD = "build"
    HUNT = "hunt"


class Feedback(StrEnum):
    """How much of a report a student sees before the assignment closes."""

    FULL = "full"
    FAMILIES = "families"  # which tests passed and failed, and nothing of why
    VERDICT = "verdict"


class GradesRelease(StrEnum):
    """When students learn what they have earned in an assignment."""

    AT_ONCE = "at_once"
    HELD = "held"  # until an instructor releases the grades


class RegradeState(StrEnum):
    """The state of a regrade."""

    GRADING = "grading"
    READY = "ready"  # a preview: nothing has changed yet
    APPLIED = "applied"
    DROPPED = "dropped"


class RequestOutcome(StrEnum):
    """How a regrade request ended."""

    UNCHANGED = "unchanged"
    POINTS_CHANGED = "points_changed"
    GRADED_AGAIN = "graded_again"
    WITHDRAWN = "withdrawn"  # by its student, before anybody answered


class NoteKind(StrEnum):
    """Whom a note of the course's staff is for."""

    ANNOUNCEMENT = "announcement"  # every student of the course
    MISCONCEPTION = "misconception"  # those who still held it when the note was sent
    REGRADE = "regrade"  # those whose result a regrade has changed; written by the service


class MailState(StrEnum):
    """What becomes of a person's next digest."""

    IDLE = "idle"  # there is none
    WAITING = "waiting"  # to be sent
    SENDING = "sending"


class PartKind(StrEnum):
    """The kinds of part that a report has results for."""

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


class CommitState(StrEnum):
    """What became of a commit of an exercise repository."""

    VERIFYING = "verifying"
    VERIFIED = "verified"  # it may be live
    REFUSED = "refused"


class FetchState(StrEnum):
    """What became of a request to bring a repository's exercises live."""

    WAITING = "waiting"  # for a verifier
    RUNNING = "running"
    LIVE = "live"
    REFUSED = "refused"
    CANCELLED = "cancelled"
    FAILED = "failed"  # the service failed on it too often


OPEN_FETCH_STATES = (FetchState.WAITING, FetchState.RUNNING)
