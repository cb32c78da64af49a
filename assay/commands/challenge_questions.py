"""`assay challenge questions`: a bank of questions as a student is asked them."""

import textwrap
from collections.abc import Iterator
from pathlib import Path

import click
from pydantic import JsonValue

from assay.challenges import sound_challenge
from assay.errors import AssayError
from assay.root_option import root_option
from grader.questions import BankError, LineVariant, QuestionBank, TextVariant, Variant
from grader.questions.sections import AnyQuestion

WIDTH = 110


@click.command()
@click.argument("slug")
@click.option("--student", default="anna", show_default=True, help="Any name; each one gets other numbers.")
@click.option("--answers", is_flag=True, help="Also show right answers, and the feedback to wrong ones.")
@root_option
def questions(slug: str, student: str, answers: bool, root: Path) -> None:
    """Preview a challenge's questions as a student gets them.

    Numbers of a student's own run are invented.
    """
    challenge = sound_challenge(slug, root)
    try:
        bank = QuestionBank.load(challenge.questions_path)
    except BankError as error:
        raise AssayError(f"{error}.") from error
    points = sum(section.points for section in bank.sections)
    click.echo(f"{slug}: {len(bank.sections)} questions, {points:g} points, asked of {student}")
    for section in bank.sections:
        variant = bank.variant(section.id, student)
        is_practised = bank.practice.is_marked(section.id)
        click.echo("\n" + "\n".join([*_asked(section, variant, is_practised), *(_told(variant) if answers else ())]))


def _asked(section: AnyQuestion, variant: Variant, is_practised: bool) -> Iterator[str]:
    view = variant.view
    plural = "" if view.points == 1 else "s"
    yield click.style(f"{view.id} ({view.kind}, {view.points:g} point{plural})", bold=True)
    if section.facts:
        yield _wrapped(f"Asked about the student's own run: {', '.join(section.facts)} come from it.", "  ")
    if section.misconception:
        yield _wrapped(f"Asked of those whose earlier attempt showed {section.misconception}.", "  ")
    if not is_practised:
        yield _wrapped("Not marked in practice: its answer would be the same in an assignment.", "  ")
    yield _wrapped(view.prompt, "  ")
    if view.code:
        yield "\n" + textwrap.indent(view.code, " " * 6) + "\n"
    yield from (_wrapped(f"{option.id}) {option.text}", "    ") for option in view.options)
    unit = f" Unit: {view.unit}." if view.unit else ""
    yield click.style(_wrapped(f"{view.hint}{unit}", "  "), dim=True)


def _told(variant: Variant) -> Iterator[str]:
    if isinstance(variant, TextVariant):
        yield from (_wrapped(f"{concept.points:g}: {concept.concept}", "  * ") for concept in variant.rubric)
        return
    yield click.style(_wrapped(f"{_written(variant.right)}: {_feedback(variant, variant.right)}", "  + "), fg="green")
    for wrong in variant.wrong:
        yield click.style(_wrapped(f"{_written(wrong)}: {_feedback(variant, wrong)}", "  - "), fg="yellow")


def _feedback(variant: Variant, answer: JsonValue) -> str:
    """Returns what is said of an answer; of a line of code, what would be said if it were run."""
    if not isinstance(variant, LineVariant):
        return variant.mark(answer).feedback
    told = {mistake.answer: mistake.feedback for mistake in variant.mistakes}
    return told.get(str(answer), variant.explanation)


def _written(answer: JsonValue) -> str:
    return " ".join(map(str, answer)) if isinstance(answer, list) else f"{answer}"


def _wrapped(text: str, indent: str) -> str:
    return textwrap.fill(text, WIDTH, initial_indent=indent, subsequent_indent=" " * len(indent))
