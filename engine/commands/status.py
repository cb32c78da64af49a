"""`engine status`: a submission's result, again."""

import click

from engine.client import Client
from engine.config import Config
from engine.display import Page
from engine.errors import Interrupted
from engine.follow import Follower
from engine.memory import Memory
from engine.outcome import Format, exit_code, format_option, write_result
from engine.progress import progress_on
from engine.recall import recall


@click.command()
@click.argument("submission_id", metavar="[ID]", required=False)
@click.option("--wait", is_flag=True, help="Watch until it is graded.")
@format_option
def command(submission_id: str | None, wait: bool, output: Format) -> None:
    """Show a submission's result (the last one unless told otherwise).

    Ends with 0 only when it is passed; one that is not graded yet counts as not passed.
    """
    config, notes = Config.read(), Page(stderr=True)
    with Client(config, notes.say) as client:
        recalled = recall(client, Memory.of(config), submission_id)
        submission = recalled.submission
        if wait and not submission.state.is_final:
            try:
                with progress_on(notes) as watcher:
                    submission = Follower(client, submission.id, watcher).run()
            except KeyboardInterrupt:
                raise Interrupted(
                    "Stopped watching.", f"The submission goes on: engine status {submission.id}"
                ) from None
    source = recalled.sent.source() if recalled.sent else None
    write_result(submission, output, source, submission.filename)
    raise SystemExit(exit_code(submission))
