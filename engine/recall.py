"""Which submission a command means when none is named: the last one sent from here, else the newest at the server."""

from dataclasses import dataclass

from engine.client import Client
from engine.errors import NotFound, WrongUsage
from engine.memory import Sent
from engine.wire.submissions import Submission


@dataclass(frozen=True)
class Recalled:
    """`sent` is what we know of it from sending it, if it was sent from here."""

    submission: Submission
    sent: Sent | None


def recall(client: Client, submission_id: str | None) -> Recalled:
    """Asks the server for the submission that is meant. Raises WrongUsage when there is none."""
    last = client.memory.last()
    if submission_id is not None:
        sent = last if last is not None and last.id == submission_id else None
        return Recalled(client.submission(submission_id), sent)
    if last is not None:
        try:
            return Recalled(client.submission(last.id), last)
        except NotFound:
            pass  # another database, another student: the server knows better
    newest = client.submissions(limit=1).items
    if not newest:
        raise WrongUsage("You have not submitted anything yet.", "Submit with: engine submit-build")
    return Recalled(client.submission(newest[0].id), None)
