"""The one way in for a submission: from the API, the web and bug hunts alike."""

from app.challenges.service import Entry
from app.hunts.service import Mending
from app.models import User
from app.services import Services
from app.submissions.service import Accepted, accept, queue, waiting_unless_full
from app.submissions.uploads import Upload


def take_in(
    services: Services,
    user: User,
    entry: Entry,
    upload: Upload,
    assignment: str | None = None,
    mending: Mending | None = None,
) -> Accepted:
    """Keep the submission and send whoever is next to the judges. Without Redis it is kept, and sent later.

    Raises what `accept` raises, and Unavailable when too many wait.
    """
    waiting = waiting_unless_full(services.database, services.settings.queue_max)
    per_minute = services.settings.submissions_per_minute
    accepted = accept(services.database, services.broker, user, entry, upload, per_minute, assignment, mending)
    if accepted.is_new and not queue(services.broker, services.dispatcher, accepted, waiting):
        services.metrics.queue_failures.inc()
    return accepted
