"""An exception in words."""

import re

from grader.comparison.explain import explain_exception
from grader.guest.problem import Problem
from grader.report import where_in

# An ImportError ends with the library's file: a path of the judge, which says nothing to a student.
PATH = re.compile(r" \((?:/[^()]*|unknown location)\)")


def is_slip(problem: Problem) -> bool:
    """Whether a name or a library is missing: code that stops there refuses nothing, and no idea is behind it."""
    return bool({"NameError", "ImportError"} & set(problem.bases))


def describe(problem: Problem) -> str:
    """An exception in half a sentence, with the line."""
    where = f" in {where_in(problem.line, problem.file)}" if problem.line else ""
    return said_by(problem, where)


def said_by(problem: Problem, where: str = "") -> str:
    """Its type, `where` it was raised, and what it says: what ends with a colon has its reason in the next line."""
    said = PATH.sub("", problem.message.strip())
    first, *more = said.splitlines() or [""]
    if first.endswith(":") and more:
        first = f"{first} {more[0].strip()}"
    what = f": {first[:300]}" if said else ""
    return f"{problem.type}{where}{what}".rstrip(".")


def ended(text: str) -> str:
    """Adds a full stop to a text that does not end as a sentence."""
    return text if text.endswith(("?", "!", ".")) else f"{text}."


def explained(problem: Problem) -> str:
    """An exception as the end of a sentence, and what it means where we know."""
    return f"{ended(describe(problem))} {explain_exception(problem)}".strip()
