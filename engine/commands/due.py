"""`engine due`: what is asked of you now."""

from datetime import UTC, datetime
from typing import Final

import click
from rich.text import Text

from engine.cleaning import clean_line
from engine.display import Page
from engine.failures import number
from engine.news import hint_at_news
from engine.signed_in import if_known, signed_in
from engine.standing import due_words, exception_words
from engine.tables import Column, show_table
from engine.times import in_zone
from engine.wire.accounts import Standing

COLUMNS: Final = (
    Column("Assignment"), Column("Challenge"), Column("Due"), Column("Attempts left"), Column("Points", is_number=True),
)  # fmt: skip


@click.command()
def command() -> None:
    """List your open assignments, with due times, attempts left and points so far."""
    page = Page()
    with signed_in() as client:
        me = client.me()
        hint_at_news(page, if_known(client.news))
    if not me.assignments:
        page.say("You have no open assignments. To practise: engine challenges")
        return
    show_table(page, COLUMNS, [list(map(Text, _row(standing, datetime.now(UTC)))) for standing in me.assignments])
    for standing in me.assignments:
        for words in exception_words(standing):
            page.say(f"{standing.address}: {words}", "dim")


def _row(standing: Standing, moment: datetime) -> list[str]:
    at = standing.due_at or standing.closes_at
    when = f"{in_zone(at, standing.time_zone)} ({due_words(standing, moment)})" if at else "no end"
    left = "no limit" if standing.attempts_left is None else f"{standing.attempts_left} of {standing.attempts_max}"
    points = "held" if standing.score.is_held else f"{number(standing.score.total)}/{number(standing.score.total_max)}"
    return [clean_line(standing.address), clean_line(standing.challenge), when, left, points]
