"""`engine submit-build`: send, watch, read why, think."""

from pathlib import Path

import click

from engine.check import lacking, refusal_before_sending
from engine.client import Client
from engine.config import Config
from engine.display import Page
from engine.errors import WrongUsage
from engine.follow import watch
from engine.news import hint_at_news
from engine.outcome import (
    Format,
    exit_code,
    format_option,
    is_conversation,
    offer_questions,
    page_unless_written,
    refuse_report_without_waiting,
)
from engine.project import Project
from engine.result import ResultText, say_not_sent
from engine.signed_in import if_known
from engine.standing import say_standing
from engine.submit_parts import submit_parts
from engine.unchanged import sent_as_it_is, unchanged_words
from engine.upload import Upload, read_upload, with_siblings
from engine.wire.accounts import Standing
from engine.wire.challenges import ChallengeDetail
from engine.wire.submissions import Submission

INSTEAD = "Fix it and submit again, or submit anyway: engine submit-build --force"


@click.command()
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--challenge", metavar="SLUG", help="The challenge; by default the one from `engine init`, or mha-rope.")
@click.option("--assignment", metavar="COURSE/ASSIGNMENT", help="The assignment to submit to, if there are several.")
@click.option("--force", is_flag=True, help="Submit it even if it cannot be graded or has not changed.")
@click.option("--no-wait", is_flag=True, help="Submit, print the submission's id and do not wait.")
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@format_option
def command(
    file: Path | None,
    challenge: str | None,
    assignment: str | None,
    force: bool,
    no_wait: bool,
    as_json: bool,
    output: Format,
) -> None:
    """Submit your file, watch it being graded, and see why.

    FILE is by default the one that `engine init` wrote, or cs336_basics/layers.py. In a folder with an engine.toml, all
    parts that have changed are submitted instead. Modules that a file imports from your project are uploaded too. The
    result is written to standard output, progress to standard error.
    """
    output = Format.JSON if as_json else output
    refuse_report_without_waiting(output, no_wait=no_wait)
    config, project, notes = Config.read(), Project.read(Path.cwd()), Page(stderr=True)
    if parts := project.several(file, challenge, assignment):
        raise SystemExit(submit_parts(config, project, parts, output, force=force, no_wait=no_wait))
    meant = project.meant(file, challenge, assignment)
    upload = read_upload(meant.file) if meant.file else None
    with Client(config, notes.say) as client:
        wanted = client.challenge(meant.challenge)
        upload = upload or read_upload(Path(wanted.default_path))
        upload = with_siblings(upload, wanted.default_path, wanted.modules)
        if not force and output is Format.TEXT and (refusal := refusal_before_sending(upload, wanted)):
            say_not_sent(notes if no_wait else Page(), upload.path, upload.source, refusal, INSTEAD)
            raise SystemExit(WrongUsage.exit_code)
        standing = say_standing(client, notes, meant.challenge, meant.assignment)
        if not force:
            _ask_if_unchanged(client, notes, upload, wanted, standing, asks=output is Format.TEXT and is_conversation())
        submission = client.submit(upload, meant.challenge, meant.assignment)
        _say_sent(notes, upload, wanted, submission)
        if no_wait:
            click.echo(submission.id)
            return
        submission = watch(client, submission.id, notes)
        if page := page_unless_written(submission, output, notes):
            _say_result(client, page, upload, wanted, submission)
            offer_questions(client, submission, interactive=output is Format.TEXT and is_conversation())
    raise SystemExit(exit_code(submission))


def _ask_if_unchanged(
    client: Client, notes: Page, upload: Upload, wanted: ChallengeDetail, standing: Standing | None, *, asks: bool
) -> None:
    """Nobody spends an attempt on the same file without knowing; a script is told, and goes on as ever."""
    if standing is None or not standing.attempts_left:
        return
    last = sent_as_it_is(upload, wanted, standing, client.submissions(wanted.slug, limit=5).items)
    if last is None:
        return
    words = unchanged_words(str(upload.path), last, standing)
    if not asks:
        notes.say(words, "yellow")
    elif not click.confirm(f"{words}\nSubmit it again?"):
        notes.say(f"Nothing was sent. The result of attempt {last.attempt}: engine status {last.id}", "dim")
        raise SystemExit(exit_code(last))


def _say_result(client: Client, page: Page, upload: Upload, wanted: ChallengeDetail, submission: Submission) -> None:
    ResultText(page, upload.source, str(upload.path), wanted.titles()).write(submission)
    say_standing(client, page, wanted.slug, submission.assignment)
    hint_at_news(page, if_known(client.news))


def _say_sent(page: Page, upload: Upload, wanted: ChallengeDetail, submission: Submission) -> None:
    along = f" with {', '.join(upload.siblings)}" if upload.siblings else ""
    page.say(f"Sent {upload.path}{along} to {submission.challenge}: submission {submission.id}.", "dim")
    for sentence in lacking(upload, wanted):
        page.say(sentence, "dim")
