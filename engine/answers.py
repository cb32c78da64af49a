"""From what a student types to an answer, and back."""

import re
import string
from typing import Final

import click
from pydantic import JsonValue

from engine.cleaning import clean_line
from engine.wire.questions import Question

MANY_LINES: Final = frozenset({"text", "output"})
LETTERS: Final = frozenset({"choices", "order"})


def rule(question: Question) -> str:
    """How the answer is typed, in one or two sentences."""
    unit = f"Unit: {question.unit}." if question.unit else ""
    ending = "Write as many lines as you like; an empty line ends your answer." if question.kind in MANY_LINES else ""
    return " ".join(part for part in (question.hint, unit, ending) if part)


def labels(question: Question) -> dict[str, str]:
    """Returns the option id for each label that the student may type: the ids themselves where they are short, else a,
    b, c.
    """
    ids = [option.id for option in question.options]
    if all(len(option_id) <= 2 for option_id in ids):
        return {clean_line(option_id).lower(): option_id for option_id in ids}
    return dict(zip(string.ascii_lowercase, ids, strict=False))


def typed_answer(question: Question, typed: str) -> JsonValue:
    """The JSON that the server wants for what was typed. Raises BadParameter for a label that is not there."""
    if question.kind == "choice":
        return _option(question, typed)
    if question.kind in LETTERS:
        return [_option(question, word) for word in re.split(r"[\s,;>]+", typed) if word]
    return typed


def shown_answer(question: Question, answer: JsonValue) -> str:
    """An answer as it would be typed."""
    typed = {option_id: label for label, option_id in labels(question).items()}
    parts = answer if isinstance(answer, list) else [answer]
    return " ".join(typed.get(str(part), str(part)) for part in parts)


def _option(question: Question, word: str) -> str:
    known = labels(question)
    ids = {option.id for option in question.options}
    label = word.lower().rstrip(").")
    if label in known:
        return known[label]
    if word in ids:
        return word
    raise click.BadParameter(f"There is no {clean_line(word)!r} here; type one of {', '.join(known)}.")
