"""Times of a course as an operator types and reads them: in the course's zone, where no other is given."""

from datetime import datetime

from app.accounts.service import console
from app.courses import service as courses
from app.database import Database
from app.time_zones import NoSuchTime, from_field, in_zone
from assay.errors import WrongUsage


def zone_of(database: Database, course: str) -> str:
    """The zone of a course. Raises NotFound."""
    return courses.read(database, console(), course).time_zone


def typed_moment(name: str, text: str, zone: str) -> datetime:
    """What was typed; without a zone it is meant in the course's. Raises WrongUsage."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise WrongUsage(
            f"{name}: {text!r} is not a time.", "Write 2026-12-01T23:59, with +01:00 behind it for another zone."
        ) from error
    if moment.tzinfo is not None:
        return moment
    try:
        found = from_field(text, zone)
    except NoSuchTime as error:
        raise WrongUsage(f"{name}: {error}") from error
    assert found is not None  # the text is not empty
    return found


def shown(moment: datetime | None, zone: str) -> str:
    """A time as a table has it, a dash for none."""
    return in_zone(moment, zone) if moment else "-"
