"""`engine diff`: what changed between two attempts."""

import click
from rich.text import Text

from engine.cleaning import clean_line
from engine.client import Client
from engine.differences import Change, changes
from engine.display import Page, plain
from engine.errors import WrongUsage
from engine.project import DEFAULT_CHALLENGE
from engine.signed_in import signed_in
from engine.wire.submissions import Submission

LOOKED_AT = 100  # attempts, the newest: a page of the server's
STYLES = {"-": "red", "+": "green", "@": "cyan"}


@click.command()
@click.argument("old", metavar="[A]", type=int, required=False)
@click.argument("new", metavar="[B]", type=int, required=False)
@click.option("--challenge", metavar="SLUG", help="The challenge; by default that of your last submission.")
def command(old: int | None, new: int | None, challenge: str | None) -> None:
    """Show what changed in your file between two attempts.

    A and B are numbers of attempts, as `engine history` lists them. Without both it compares the last two;
    with A alone, attempt A with the last.
    """
    page = Page()
    with signed_in() as client:
        challenge = challenge or _last_challenge(client)
        found = [one for one in client.submissions(challenge, LOOKED_AT).items if one.hunt is None]
        before, after = _pair(found, old, new)
        texts = [{file.path: file.text for file in client.files(one.id)} for one in (before, after)]
    page.say(f"{challenge}: attempt {before.attempt} to attempt {after.attempt}", "bold")
    told = changes(*texts)
    for change in told:
        _write(page, change)
    if not told:
        page.say("Nothing changed.")


def _last_challenge(client: Client) -> str:
    sent = client.memory.last()
    if sent is not None:
        return client.submission(sent.id).challenge
    newest = client.submissions(limit=1).items
    return newest[0].challenge if newest else DEFAULT_CHALLENGE


def _pair(found: list[Submission], old: int | None, new: int | None) -> tuple[Submission, Submission]:
    by_number = {one.attempt: one for one in found}
    numbers = sorted(by_number)
    if len(numbers) < 2:
        raise WrongUsage("You need two attempts to compare them.", "See your submissions: engine history")
    new = numbers[-1] if new is None else new
    old = next((number for number in reversed(numbers) if number < new), new) if old is None else old
    for number in (old, new):
        if number not in by_number:
            raise WrongUsage(
                f"Attempt {number} is not among your last {len(numbers)}.", "See their numbers: engine history"
            )
    return by_number[old], by_number[new]


def _write(page: Page, change: Change) -> None:
    page.blank()
    page.put(Text(clean_line(change.path), "bold"))
    for line in change.lines:
        page.verbatim(plain(line, STYLES.get(line[:1], "")))
