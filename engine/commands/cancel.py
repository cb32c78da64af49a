"""`engine cancel`: takes back what no judge has taken yet."""

import click

from engine.cleaning import clean_line
from engine.recall import recall
from engine.signed_in import signed_in


@click.command()
@click.argument("submission_id", metavar="[ID]", required=False)
def command(submission_id: str | None) -> None:
    """Cancel a submission that is still waiting (the last one by default).

    It is not graded and costs no attempt. Once grading has begun, it is too late.
    """
    with signed_in() as client:
        submission = client.cancel(recall(client, submission_id).submission.id)
    click.echo(
        f"Cancelled: {clean_line(submission.filename)} ({submission.id}) will not be graded and costs no attempt."
    )
