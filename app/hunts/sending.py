"""Into the line with a mended file, from the API and from the web alike."""

from app.challenges.service import Entry
from app.hunts.service import mending
from app.models import User
from app.services import Services
from app.submissions import service
from app.submissions.service import Accepted
from app.submissions.uploads import Upload


def send(services: Services, user: User, entry: Entry, upload: Upload) -> Accepted:
    """Raises what `mending` and `accept` raise, and Unavailable."""
    mended = mending(services.database, entry, user, upload)
    waiting = service.waiting_unless_full(services.database, services.settings.queue_max)
    accepted = service.accept(
        services.database,
        services.broker,
        user,
        entry,
        upload,
        services.settings.submissions_per_minute,
        mending=mended,
    )
    if accepted.is_new and not service.queue(services.broker, services.dispatcher, accepted, waiting):
        services.metrics.queue_failures.inc()
    return accepted
