"""Asks the conceptual questions in a terminal, one after the other, and tells each mark at once."""

import re
import string
from collections.abc import Sequence
from typing import Final

import click
from pydantic import JsonValue
from rich.text import Text

from engine.cleaning import clean_line
from engine.client import Client
from engine.display import Page, plain
from engine.errors import BadRequest
from engine.failures import number
from engine.wire import Mark, Question

MARKS: Final = {
    "correct": ("passed", "green", "Right"),
    "partial": ("partial", "yellow", "Partly right"),
    "incorrect": ("failed", "red", "Not right"),
    "pending": ("waiting", "cyan", "Kept; it will be marked later"),
}
STOP_WORDS: Final = frozenset({"q", "quit", "stop"})


class Interview:
    """One sitting. Every answer is sent as it is given, so that stopping loses nothing."""

    def __init__(self, page: Page, client: Client, submission_id: str) -> None:
        self._page = page
        self._client = client
        self._id = submission_id

    def ask(self, questions: Sequence[Question]) -> None:
        page = self._page
        count = len(questions)
        page.heading("One question to think about" if count == 1 else f"{count} questions to think about")
        page.say("Enter skips a question, q stops; go on whenever you like.", "dim")
        for place, question in enumerate(questions, start=1):
            page.blank()
            show_question(page, question, f"{place}/{count}")
            if not self._answer(question):
                break
        page.say(f"Again, or the rest: engine answer {self._id}", "dim")

    def _answer(self, question: Question) -> bool:
        """False when the student wants to stop. An answer of the wrong form is explained and asked for again."""
        while True:
            try:
                typed = self._page.console.input(Text("> ", "bold")).strip()
            except EOFError:
                self._page.blank()
                return False
            if typed.lower() in STOP_WORDS and typed.lower() not in labels(question):
                return False
            if not typed:
                return True
            try:
                marked = self._client.answer(self._id, question.id, typed_answer(question, typed))
            except (BadRequest, click.BadParameter) as error:
                self._page.say(error.message, "yellow")
                continue
            show_mark(self._page, marked.mark)
            return True


def show_question(page: Page, question: Question, place: str) -> None:
    points = f"{number(question.points)} point{'' if question.points == 1 else 's'}"
    page.put(Text.assemble(plain(question.prompt, "bold"), (f"  ({points})", "dim")), sign=Text(place, "cyan"))
    for label, option_id in labels(question).items():
        text = next(option.text for option in question.options if option.id == option_id)
        page.put(plain(text), indent=4, sign=Text(f"{label})", "cyan"))
    if question.hint or question.unit:
        unit = f"Unit: {question.unit}." if question.unit else ""
        page.say(f"{question.hint or ''} {unit}".strip(), "dim", indent=4)


def show_mark(page: Page, mark: Mark) -> None:
    glyph, style, words = MARKS.get(mark.status, MARKS["pending"])
    points = (
        f": {number(mark.score)} of {number(mark.max_score)}"
        if mark.status in {"correct", "partial", "incorrect"}
        else ""
    )
    page.put(Text(f"{words}{points}.", style), indent=2, sign=Text(getattr(page.glyphs, glyph), style))
    if mark.feedback:
        page.say(mark.feedback, indent=4)


def labels(question: Question) -> dict[str, str]:
    """What the student types -> option id: the ids themselves where they are short, else a, b, c."""
    ids = [option.id for option in question.options]
    if all(len(option_id) <= 2 for option_id in ids):
        return {clean_line(option_id).lower(): option_id for option_id in ids}
    return dict(zip(string.ascii_lowercase, ids, strict=False))


def typed_answer(question: Question, typed: str) -> JsonValue:
    """The JSON that the server wants for what was typed. Raises BadParameter for a label that is not there."""
    if question.kind == "choice":
        return _option(question, typed)
    if question.kind == "order":
        return [_option(question, word) for word in re.split(r"[\s,;>]+", typed) if word]
    return typed


def _option(question: Question, word: str) -> str:
    known = labels(question)
    ids = {option.id for option in question.options}
    label = word.lower().rstrip(").")
    if label in known:
        return known[label]
    if word in ids:
        return word
    raise click.BadParameter(f"There is no {clean_line(word)!r} here; type one of {', '.join(known)}.")
