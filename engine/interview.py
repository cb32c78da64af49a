"""Asks the conceptual questions in a terminal, one after the other, and tells each mark at once."""

import sys
import time
from collections.abc import Sequence
from typing import Final

import click
from rich.text import Text

try:
    import termios
except ImportError:  # Windows has other terminals
    termios = None  # type: ignore[assignment]

from engine.answers import MANY_LINES, labels, rule, typed_answer
from engine.client import Client
from engine.display import Page
from engine.errors import BadRequest, NotNow
from engine.questions import is_right, show_mark, show_question, show_score
from engine.wire.questions import MarkedAnswer, Question

STOP_WORDS: Final = frozenset({"q", "quit", "stop"})
COMMANDS: Final = "Enter skips a question, ? shows help, q stops. You can continue at any time."
RUN_WAITS_S: Final = (0.3, 0.5, 1.0, 1.0, 2.0, 2.0, 3.0)  # for a line of code that is run


class Stopped(Exception):
    """The student wants to do something else."""


class Interview:
    """One sitting. Every answer is sent as it is given, so that stopping loses nothing."""

    def __init__(self, page: Page, client: Client, submission_id: str) -> None:
        self._page = page
        self._client = client
        self._id = submission_id

    def ask(self, questions: Sequence[Question]) -> None:
        """Asks each question until the student stops, and shows the score."""
        page = self._page
        count = len(questions)
        page.heading("One question to think about" if count == 1 else f"{count} questions to think about")
        page.say(COMMANDS, "dim")
        try:
            for place, question in enumerate(questions, start=1):
                page.blank()
                show_question(page, question, f"{place}/{count}")
                self._ask_until_done(question)
        except Stopped:
            pass
        page.blank()
        now = self._client.questions(self._id)
        show_score(page, self._client.submission(self._id), now)
        if any(question.refusal is None and not is_right(question) for question in now):
            page.say(f"Answer the rest: engine answer {self._id} (--all to correct wrong answers too)", "dim")

    def _ask_until_done(self, question: Question) -> None:
        """Asks until the answer is right, skipped, or nothing more is taken. Raises Stopped."""
        while typed := self._typed(question):
            if typed == "?":
                self._help(question)
                continue
            try:
                marked = self._client.answer(self._id, question.id, typed_answer(question, typed))
            except (BadRequest, click.BadParameter) as error:
                self._page.say(error.message.removeprefix(f"{question.id}: "), "yellow")
                continue
            except NotNow as error:
                self._page.say(error.message.removeprefix(f"{question.id}: "), "yellow")
                return
            marked = self._when_run(question, marked)
            show_mark(self._page, marked, marked, question)
            if marked.refusal is not None or marked.mark.status not in {"incorrect", "partial"}:
                return
            self._page.say("Try again, or press Enter to continue.", "dim", indent=4)

    def _typed(self, question: Question) -> str:
        """What was typed; nothing: skipped. Raises Stopped."""
        first = self._line("> ")
        if first is None or (first.lower() in STOP_WORDS and first.lower() not in labels(question)):
            raise Stopped
        if question.kind not in MANY_LINES or first in {"", "?"}:
            return first
        lines = [first]
        while line := self._line("  "):
            lines.append(line)
        _forget_the_rest()
        return "\n".join(lines)

    def _line(self, prompt: str) -> str | None:
        """None at the end of the input."""
        try:
            return self._page.console.input(Text(prompt, "bold")).strip()
        except EOFError:
            self._page.blank()
            return None

    def _help(self, question: Question) -> None:
        left = question.answers_left
        self._page.say(rule(question), indent=4)
        if left is not None:
            self._page.say(
                f"You may answer {left} time{'' if left == 1 else 's'}; an answer in the wrong format does not count.",
                indent=4,
            )
        self._page.say(f"{COMMANDS} Your answers are saved.", indent=4)

    def _when_run(self, question: Question, marked: MarkedAnswer) -> MarkedAnswer:
        """A line of code is run elsewhere, and marked a moment later."""
        if question.kind != "line" or marked.mark.status != "pending":
            return marked
        self._page.say("Running it ...", "dim", indent=4)
        for wait_s in RUN_WAITS_S:
            time.sleep(wait_s)
            now = next((item for item in self._client.questions(self._id) if item.id == question.id), None)
            if now is not None and now.answer is not None and now.answer.mark.status != "pending":
                return MarkedAnswer(**dict(now.answer), **_standing(now))
        return marked


def _standing(question: Question) -> dict[str, object]:
    return {name: getattr(question, name) for name in ("answers_left", "refusal", "solution")}


def _forget_the_rest() -> None:
    """What was pasted after the empty line is no answer to the next question."""
    if termios is not None and sys.stdin.isatty():
        termios.tcflush(sys.stdin, termios.TCIFLUSH)
