"""`engine submit-fix`: send the mended file of a bug hunt, and see whether it is mended."""

from pathlib import Path

import click

from engine.client import Client
from engine.config import Config
from engine.display import Page
from engine.follow import watch
from engine.hunting import challenge_of, latest_file, only_challenge
from engine.outcome import Format, exit_code, format_option, page_unless_written, refuse_report_without_waiting
from engine.result import ResultText
from engine.upload import read_upload


@click.command()
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option(
    "--challenge", metavar="SLUG", help="The challenge of the bug hunt, if the file's folder does not show it."
)
@click.option("--no-wait", is_flag=True, help="Submit, print the submission's id and do not wait.")
@format_option
def command(file: Path | None, challenge: str | None, no_wait: bool, output: Format) -> None:
    """Submit your fix for a bug hunt, and see whether the bug is gone.

    FILE is by default the one that engine hunt wrote. The hunt is solved when everything passes and the change is
    small.
    """
    refuse_report_without_waiting(output, no_wait=no_wait)
    slug = challenge or (challenge_of(file) if file else only_challenge())
    notes = Page(stderr=True)
    with Client(Config.read(), notes.say) as client:
        wanted = client.challenge(slug)
        upload = read_upload(file or latest_file(wanted.default_path, slug))
        submission = client.submit_fix(upload, slug)
        notes.say(f"Sent {upload.path} to the bug hunt of {slug}: submission {submission.id}.", "dim")
        if no_wait:
            click.echo(submission.id)
            return
        submission = watch(client, submission.id, notes)
        if page := page_unless_written(submission, output, notes):
            ResultText(page, upload.source, str(upload.path), wanted.titles()).write(submission)
    raise SystemExit(exit_code(submission))
