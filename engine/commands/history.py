"""`engine history`: your submissions, newest first."""

from typing import Final

import click
from rich.text import Text

from engine.cleaning import clean_line
from engine.display import Page
from engine.failures import number
from engine.result import STYLES
from engine.signed_in import signed_in
from engine.tables import Column, show_table
from engine.times import in_zone
from engine.wire.submissions import Fix, Submission
from grader.report import Verdict

COLUMNS: Final = (
    Column("When"), Column("Challenge"), Column("Try", is_number=True), Column("Result"),
    Column("Points", is_number=True), Column("Id"),
)  # fmt: skip


@click.command()
@click.option("--challenge", metavar="SLUG", help="Show only this challenge.")
@click.option("--limit", type=click.IntRange(1, 100), default=20, show_default=True, help="How many to show.")
def command(challenge: str | None, limit: int) -> None:
    """List your submissions."""
    page = Page()
    with signed_in() as client:
        found = client.submissions(challenge, limit)
    if not found.items:
        page.say("You have not submitted anything yet. Submit with: engine submit-build")
        return
    _show(page, found.items)
    if found.next_cursor:
        page.say(f"There are more; show them with --limit {min(limit * 2, 100)}.", "dim")


def _show(page: Page, submissions: tuple[Submission, ...]) -> None:
    with_names = len({submission.student for submission in submissions}) > 1
    rows = [[*_row(each), *([Text(clean_line(each.student or ""))] if with_names else [])] for each in submissions]
    show_table(page, COLUMNS + ((Column("Student"),) if with_names else ()), rows)


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
        if submission.score is None or submission.hunt or verdict is Verdict.REJECTED
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
