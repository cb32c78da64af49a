"""Times of a course in its own zone: read from a form, written on a page, moved to another year. Knows no database."""

from datetime import UTC, date, datetime, timedelta
from functools import cache
from typing import Annotated, Final
from zoneinfo import ZoneInfo, available_timezones

from pydantic import AfterValidator

FIELD: Final = "%Y-%m-%dT%H:%M"  # of an <input type="datetime-local">
WEEK: Final = timedelta(days=7)
_REGIONS: Final = (
    *("Africa", "America", "Antarctica", "Arctic", "Asia"),
    *("Atlantic", "Australia", "Europe", "Indian", "Pacific"),
)


class NoSuchTime(ValueError):
    """Raised for a typed time that cannot be read, or that a clock in the zone never shows. Says so in a sentence."""


def checked_zone(name: str) -> str:
    """Returns the name. Raises ValueError when there is no such zone."""
    if name not in _names():
        raise ValueError("is not a time zone: choose an IANA name, such as Europe/Berlin or UTC")
    return name


ZoneName = Annotated[str, AfterValidator(checked_zone)]


@cache
def zones_by_region() -> dict[str, tuple[str, ...]]:
    """Returns the zones to choose from, by region, `UTC` first."""
    regions = {region: tuple(sorted(n for n in _names() if n.startswith(f"{region}/"))) for region in _REGIONS}
    return {"Everywhere": ("UTC",), **regions}


def in_zone(moment: datetime, zone: str = "UTC") -> str:
    """Formats a moment for a page, with the zone's name at that time: 14 Dec 2026, 23:59 CET."""
    local = moment.astimezone(ZoneInfo(zone))
    return f"{local.day} {local:%b %Y, %H:%M} {zone_label(local)}"


def zone_label(local: datetime) -> str:
    """Returns the usual letters (CET), or the distance from UTC where a zone has none."""
    label = local.tzname() or ""
    offset = local.strftime("%z")
    return label if label.isalpha() else f"UTC{offset[:3]}:{offset[3:5]}"


def as_field(moment: datetime | None, zone: str) -> str:
    """Returns a moment as a form's field shows it; empty for none."""
    return "" if moment is None else moment.astimezone(ZoneInfo(zone)).strftime(FIELD)


def from_field(typed: str, zone: str, before: datetime | None = None) -> datetime | None:
    """Returns what was typed as a moment, None for nothing. A time that is shown as `before` is that moment to the
    second, also in the hour that comes twice in autumn; another one in that hour is the first of the two.

    Raises NoSuchTime.
    """
    if not typed:
        return None
    if typed == as_field(before, zone):
        return before
    try:
        naive = datetime.fromisoformat(typed)
    except ValueError as error:
        raise NoSuchTime("This is not a date and time. Write 2026-12-14T23:59.") from error
    if naive.tzinfo is not None or not 2000 <= naive.year < 2999:
        raise NoSuchTime("Write a date and time between 2000 and 2998, without a zone.")
    moment = naive.replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)
    if moment.astimezone(ZoneInfo(zone)).replace(tzinfo=None) != naive:
        raise NoSuchTime(f"In {zone} there is no {naive:%H:%M} that day: the clocks go forward. Choose another time.")
    return moment


def weeks_between(first: date, start: date) -> int:
    """Returns by how many weeks dates move, so that the week of `first` becomes the week of `start`."""
    return ((start - timedelta(days=start.weekday())) - (first - timedelta(days=first.weekday()))) // WEEK


def moved(moment: datetime | None, weeks: int, old_zone: str, new_zone: str) -> datetime | None:
    """Returns the moment so many weeks later: the same weekday, and the same time on the clocks of the new zone. A time
    that the clocks jump over there is an hour later.
    """
    if moment is None:
        return None
    local = moment.astimezone(ZoneInfo(old_zone)).replace(tzinfo=None) + weeks * WEEK
    return local.replace(tzinfo=ZoneInfo(new_zone)).astimezone(UTC)


@cache
def _names() -> frozenset[str]:
    return frozenset(available_timezones() - {"Factory", "localtime"})
