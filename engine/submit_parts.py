"""Submits the parts of a project that changed, and shows the board."""

from collections.abc import Sequence

import click

from engine import board
from engine.client import PATIENCE_OF_PROJECTS_S, Client
from engine.config import Config
from engine.display import Page
from engine.errors import PASSED, WrongUsage
from engine.news import hint_at_news
from engine.outcome import Format
from engine.parts import PartFile
from engine.project import Project
from engine.signed_in import if_known


def submit_parts(
    config: Config, project: Project, items: Sequence[PartFile], output: Format, *, force: bool, no_wait: bool
) -> int:
    """Submits, prints the board and returns the exit code. Raises WrongUsage for a format of one report only."""
    if output is Format.JUNIT:
        raise WrongUsage("JUnit XML is of one part.", "Name its file, or use --format json.")
    notes = Page(stderr=True)
    with Client(config, notes.say, PATIENCE_OF_PROJECTS_S) as client:
        desk = board.Board(client, notes, project.folder, force)
        rows = desk.submit(items)
        if no_wait:
            return _say_sent(notes, rows)
        rows = desk.wait(rows)
        if output is Format.JSON:
            click.echo(board.as_json(rows))
        else:
            page = Page()
            board.show(page, rows)
            hint_at_news(page, if_known(client.news))
    return board.exit_code(rows)


def _say_sent(notes: Page, rows: Sequence[board.Row]) -> int:
    for row in rows:
        if row.is_sent and row.submission is not None:
            click.echo(row.submission.id)
        if row.refused:
            notes.say(f"{row.part.challenge}: {row.refused}")
    return WrongUsage.exit_code if any(row.refused for row in rows) else PASSED
