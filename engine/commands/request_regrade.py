"""`engine request-regrade`: asks the course's staff to look at a result again."""

import click

from engine.client import Client
from engine.display import Page
from engine.errors import WrongUsage
from engine.outcome import is_conversation
from engine.recall import recall
from engine.signed_in import signed_in


@click.command()
@click.argument("submission_id", metavar="[ID]", required=False)
@click.option("--reason", metavar="TEXT", help="What is wrong, and why; you are asked if you leave it out.")
@click.option("--line", "lines", type=click.IntRange(min=1), multiple=True, help="A line that it is about; repeatable.")
@click.option("--file", metavar="PATH", help="The other file that the lines are in, if they are not in the main one.")
@click.option("--test", "tests", metavar="ID", multiple=True, help="A test that it is about; repeatable.")
@click.option("--withdraw", is_flag=True, help="Withdraw the request that is still open.")
def command(
    submission_id: str | None,
    reason: str | None,
    lines: tuple[int, ...],
    file: str | None,
    tests: tuple[str, ...],
    withdraw: bool,
) -> None:
    """Ask your course's staff to look at a result again.

    It is about the last submission, unless you name another. `engine status` shows the answer, and
    `engine status --format json` has the ids of tests.
    """
    page = Page()
    with signed_in() as client:
        found = recall(client, submission_id).submission.id
        if withdraw:
            client.withdraw_regrade_request(found, _open_request(client, found))
            page.say("Withdrawn: nobody will look at it.")
            return
        client.request_regrade(found, reason or _asked_for(), tests, file, lines)
        page.say(f"Your course's staff will look at it. See their answer with: engine status {found}")


def _asked_for() -> str:
    if not is_conversation():
        raise WrongUsage("A request needs a reason.", "Give one: engine request-regrade --reason TEXT")
    typed: str = click.prompt("What is wrong, and why?")
    return typed


def _open_request(client: Client, submission_id: str) -> str:
    for request in client.regrade_requests(submission_id):
        if request.outcome is None:
            return request.id
    raise WrongUsage("This submission has no open regrade request.", f"See it with: engine status {submission_id}")
