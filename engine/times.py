"""Times as people read them: in the zone of the course that they belong to, which is named."""

from datetime import UTC, datetime, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError


def in_zone(moment: datetime, zone: str | None) -> str:
    """Formats a moment as the course's pages do: 14 Dec 2026, 23:59 CET. Without a zone, in this machine's; in UTC
    where the machine does not know the zone.
    """
    local = moment.astimezone(_known(zone) if zone else None)
    return f"{local.day} {local:%b %Y, %H:%M} {_label(local)}"


def _known(zone: str) -> tzinfo:
    try:
        return ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):  # what the server sends need not be a zone
        return UTC


def _label(local: datetime) -> str:
    """The usual letters, or the distance from UTC where a zone has none."""
    label, offset = local.tzname() or "", local.strftime("%z")
    return label if label.isalpha() else f"UTC{offset[:3]}:{offset[3:5]}"
