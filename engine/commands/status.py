"""`engine status`: a submission's result, again."""

import click

from engine.client import Client
from engine.config import Config
from engine.display import Page
from engine.errors import NotFound
from engine.follow import watch
from engine.news import tell_news
from engine.outcome import Format, exit_code, format_option, page_unless_written
from engine.recall import recall
from engine.result import ResultText
from engine.signed_in import if_known


@click.command()
@click.argument("submission_id", metavar="[ID]", required=False)
@click.option("--wait", is_flag=True, help="Watch until it is graded.")
@click.option("--all", "everything", is_flag=True, help="Show every failing test, not one of each family.")
@format_option
def command(submission_id: str | None, wait: bool, everything: bool, output: Format) -> None:
    """Show a submission's result (the last one by default).

    Exit code 0 if it passed; one that is not graded yet counts as not passed.
    """
    notes = Page(stderr=True)
    with Client(Config.read(), notes.say) as client:
        recalled = recall(client, submission_id)
        submission = recalled.submission
        if wait and not submission.state.is_final:
            submission = watch(client, submission.id, notes)
        if page := page_unless_written(submission, output, notes):
            titles = _titles(client, submission.challenge)
            is_told = submission.report is not None
            text = ResultText(
                page,
                recalled.sent.source() if recalled.sent else None,
                submission.filename,
                titles,
                everything=everything,
                comments=if_known(client.comments, submission.id) if is_told else (),
                requests=if_known(client.regrade_requests, submission.id) if is_told else (),
            )
            text.write(submission)
            tell_news(page, if_known(client.news), client.server)
    raise SystemExit(exit_code(submission))


def _titles(client: Client, slug: str) -> dict[str, str]:
    try:
        return client.challenge(slug).titles()
    except NotFound:
        return {}  # the challenge is gone, the result stays
