"""`engine cancel`: takes back what no judge has taken yet."""

import click

from engine.cleaning import clean_line
from engine.client import Client
from engine.config import Config
from engine.display import Page
from engine.memory import Memory
from engine.recall import recall


@click.command()
@click.argument("submission_id", metavar="[ID]", required=False)
def command(submission_id: str | None) -> None:
    """Cancel a submission that is still waiting (the last one by default).

    It is not graded and costs no attempt. Once grading has begun, it is too late.
    """
    config = Config.read()
    with Client(config, Page(stderr=True).say) as client:
        submission = client.cancel(recall(client, Memory.of(config), submission_id).submission.id)
    click.echo(
        f"Cancelled: {clean_line(submission.filename)} ({submission.id}) will not be graded and costs no attempt."
    )
