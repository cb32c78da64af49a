"""What commands do with a submission at its end: print it in a format, ask questions, choose an exit code."""

import sys
from collections.abc import Iterable
from enum import StrEnum

import click

from engine.client import Client
from engine.display import Page
from engine.errors import NOT_PASSED, PASSED, NotNow, ServerRefused, WrongUsage
from engine.interview import Interview
from engine.junit import junit_xml
from engine.wire.questions import Question
from engine.wire.submissions import Submission
from grader.report import Verdict


class Format(StrEnum):
    """How a result is printed."""

    TEXT = "text"
    JSON = "json"
    JUNIT = "junit"


format_option = click.option(
    "--format",
    "output",
    type=click.Choice([choice.value for choice in Format]),
    default=Format.TEXT.value,
    show_default=True,
    callback=lambda _context, _parameter, value: Format(value),
    help="json: only the report, on one line of standard output; junit: JUnit XML.",
)


def refuse_report_without_waiting(output: Format, *, no_wait: bool) -> None:
    """Raises WrongUsage."""
    if no_wait and output is not Format.TEXT:
        raise WrongUsage(
            "With --no-wait there is no report to print yet.", f"Leave out --no-wait or --format {output}."
        )


def exit_code(submission: Submission) -> int:
    """A bug hunt is passed when it is solved: a rewrite that is right does not do. What is held has been taken in, and
    no more is known of it.
    """
    if submission.is_held:
        return PASSED
    is_passed = submission.hunt.is_solved if submission.hunt else submission.verdict is Verdict.PASSED
    return PASSED if is_passed else NOT_PASSED


def is_conversation() -> bool:
    """Whether somebody is there to be asked."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def page_unless_written(submission: Submission, output: Format, notes: Page) -> Page | None:
    """Writes the report alone on stdout, for programs, where that is asked for; else the page to tell the result on."""
    if output is Format.TEXT:
        return Page()
    if (report := submission.report) is None:
        return notes
    click.echo((report.to_json() if output is Format.JSON else junit_xml(report)).encode())
    return None


def waiting_questions(questions: Iterable[Question]) -> list[Question]:
    """Returns the questions that can be answered now and have not been."""
    return [question for question in questions if question.answer is None and question.refusal is None]


def questions_words(count: int) -> str:
    """Says how many questions wait."""
    return f"{count} question{'' if count == 1 else 's'} to think about"


def offer_questions(client: Client, submission: Submission, *, interactive: bool) -> None:
    """Asks what has not been answered yet, or says how to be asked."""
    if submission.verdict in {None, Verdict.REJECTED}:
        return
    page = Page()
    try:
        questions = client.questions(submission.id)
    except NotNow as locked:
        page.say(locked.message, "dim")
        return
    except ServerRefused:
        return  # the questions are an extra: the verdict stands without them
    open_questions = waiting_questions(questions)
    if not open_questions:
        return
    if not interactive:
        page.say(f"{questions_words(len(open_questions))}: engine answer {submission.id}", "dim")
        return
    try:
        Interview(page, client, submission.id).ask(open_questions)
    except KeyboardInterrupt:
        page.blank()
        page.say(f"Continue at any time: engine answer {submission.id}", "dim")
