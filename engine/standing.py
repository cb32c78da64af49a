"""How much time and how many attempts are left, in words."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from engine.cleaning import clean_line
from engine.client import Client
from engine.display import Page
from engine.times import in_zone
from engine.wire.accounts import Me, Standing

DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)


def standing_for(standings: Sequence[Standing], challenge: str, assignment: str | None) -> Standing | None:
    """Returns the assignment that an upload would count for: the one that is named, or the next due of the only course
    that asks.
    """
    asking = [each for each in standings if each.challenge == challenge]
    if assignment is not None:
        return next((each for each in asking if each.address == assignment), None)
    return asking[0] if len({each.course for each in asking}) == 1 else None


def practice_words(me: Me, challenge: str) -> str:
    """Says that an upload counts for nothing, and why; nothing where it does count, and for whoever is in no course."""
    studied = [each for each in me.courses if each.is_studied]
    if not studied or any(each.challenge == challenge for each in me.assignments):
        return ""
    over = studied[0].title if len(studied) == 1 and studied[0].is_archived else None
    why = f"{clean_line(over)} is archived" if over else f"None of your open assignments asks for {challenge}"
    return f"{why}, so this is practice: graded and explained, but not counted towards your grade."


def standing_words(standing: Standing, moment: datetime | None = None) -> str:
    """One sentence: which assignment, when it is due, how many attempts are left."""
    moment = moment or datetime.now(UTC)
    told = [words for words in (due_words(standing, moment), attempts_words(standing)) if words]
    return f"{standing.title} ({standing.address}): {', '.join(told) or 'open, no limit on attempts'}."


def say_standing(client: Client, page: Page, challenge: str, assignment: str | None) -> Standing | None:
    """Says what an upload would count for, and how one stands in that, which is returned."""
    me = client.me()
    standing = standing_for(me.assignments, challenge, assignment)
    if standing is not None:
        page.say(standing_words(standing), "dim")
    elif assignment is None and (practice := practice_words(me, challenge)):
        page.say(practice, "dim")
    return standing


def due_words(standing: Standing, moment: datetime) -> str:
    """Says when the assignment is due, or closes; nothing where it has no end."""
    if standing.due_at is None:
        return "" if standing.closes_at is None else f"closes in {_distance(standing.closes_at - moment)}"
    if moment <= standing.due_at:
        return f"due in {_distance(standing.due_at - moment)}"
    return f"{_distance(moment - standing.due_at)} late"


def attempts_words(standing: Standing) -> str:
    """Says how many attempts are left; nothing where there is no limit."""
    if standing.attempts_left is None:
        return ""
    return f"{standing.attempts_left} of {standing.attempts_max} attempts left"


def exception_words(standing: Standing) -> list[str]:
    """Says what the student was given beyond the assignment's own terms, and why."""
    told = []
    for given in standing.exceptions:
        until = given.due_at or given.closes_at
        more = [f"more time, until {in_zone(until, standing.time_zone)}" if until else ""]
        more.append(f"extra attempts: {given.extra_attempts}" if given.extra_attempts else "")
        told.append(f"{', '.join(filter(None, more))} ({clean_line(given.reason)})")
    return told


def _distance(span: timedelta) -> str:
    """In the largest unit of which there are at least two."""
    for unit, name in ((DAY, "days"), (HOUR, "hours"), (MINUTE, "minutes")):
        if span >= 2 * unit:
            return f"{span // unit} {name}"
    return "a minute"
