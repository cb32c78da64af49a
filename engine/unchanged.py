"""A file that is sent again as it was: where attempts are limited, that spends one. Knows no HTTP."""

from collections.abc import Iterable

from engine.upload import Upload
from engine.wire.accounts import Standing
from engine.wire.challenges import ChallengeDetail
from engine.wire.submissions import State, Submission
from grader.report import Verdict


def sent_as_it_is(
    upload: Upload, wanted: ChallengeDetail, standing: Standing, before: Iterable[Submission]
) -> Submission | None:
    """The last attempt at the assignment, where it was these very files and another one would be spent on them.
    `before` are the student's submissions of the challenge, the newest first.
    """
    if not standing.attempts_left:
        return None
    kept = (each for each in before if each.hunt is None and each.state not in (State.CANCELLED, State.SUPERSEDED))
    last = next(kept, None)
    if last is None or last.assignment != standing.address or last.verdict is Verdict.REJECTED:
        return None
    return last if last.sha256 == upload.sha256(wanted.default_path) else None


def unchanged_words(what: str, last: Submission, standing: Standing) -> str:
    """Says what another attempt on an unchanged file would be spent on; `what` is the file, as its student calls it."""
    left = standing.attempts_left
    cost = "your last attempt" if left == 1 else f"one of your {left} attempts left"
    return f"{what} has not changed since attempt {last.attempt}. Submitting it again uses {cost}."
