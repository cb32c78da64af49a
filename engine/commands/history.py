"""`engine history`: your submissions, newest first."""

import click
from rich.table import Table
from rich.text import Text

from engine.cleaning import clean_line
from engine.client import Client
from engine.config import Config
from engine.display import Page
from engine.failures import number
from engine.result import STYLES
from engine.times import in_zone
from engine.wire.submissions import Fix, Submission
from grader.report import Verdict


@click.command()
@click.option("--challenge", metavar="SLUG", help="Show only this challenge.")
@click.option("--limit", type=click.IntRange(1, 100), default=20, show_default=True, help="How many to show.")
def command(challenge: str | None, limit: int) -> None:
    """List your submissions."""
    page = Page()
    with Client(Config.read(), Page(stderr=True).say) as client:
        found = client.submissions(challenge, limit)
    if not found.items:
        page.say("You have not submitted anything yet. Submit with: engine submit-build")
        return
    page.console.print(_table(found.items))
    if found.next_cursor:
        page.say(f"There are more; show them with --limit {min(limit * 2, 100)}.", "dim")


def _table(submissions: tuple[Submission, ...]) -> Table:
    with_names = len({submission.student for submission in submissions}) > 1
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for title in ("When", "Challenge", "Try", "Result", "Points", "Id"):
        table.add_column(
            title,
            no_wrap=title in {"Id", "When", "Result"},
            justify="right" if title in {"Try", "Points"} else "left",
            overflow="fold",
        )
    if with_names:
        table.add_column("Student", overflow="fold")
    for submission in submissions:
        table.add_row(*_row(submission), *([Text(clean_line(submission.student or ""))] if with_names else []))
    return table


def _hunted(fix: Fix | None, verdict: Verdict | None) -> str | None:
    """Says in a word what came of a fix: one that passes and solves nothing is a rewrite."""
    if fix is None or verdict is not Verdict.PASSED:
        return None
    return "solved" if fix.is_solved else "rewrite"


def _row(submission: Submission) -> list[Text]:
    verdict = submission.verdict
    style = STYLES.get(verdict, "yellow") if verdict else "cyan"
    points = (
        ""
        if submission.score is None or submission.hunt
        else f"{number(submission.score)}/{number(submission.max_score or 0)}"
    )
    return [
        Text(in_zone(submission.created_at, submission.time_zone)),
        Text(clean_line(submission.challenge)),
        Text("hunt" if submission.hunt else str(submission.attempt)),
        Text(str(_hunted(submission.hunt, verdict) or verdict or submission.state), style),
        Text(points),
        Text(clean_line(submission.id)),
    ]
