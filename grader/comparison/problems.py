"""An exception in words, and what it means for the student whose code raised it; nothing where that is not sure."""

import re

from grader.comparison.meanings import MEANINGS
from grader.guest.problem import Problem
from grader.report import where_in

# An ImportError ends with the library's file: a path of the judge, which says nothing to a student.
PATH = re.compile(r" \((?:/[^()]*|unknown location)\)")
LACKED_BY_TORCH = re.compile(r"not implemented for|^NYI\b|^Could not run|\bsupport(s|ed)?\b")


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


def explain_exception(problem: Problem) -> str:
    """Explains an exception in one sentence, or says nothing."""
    if is_unwritten(problem):
        return "This part is not written yet: it still contains `raise NotImplementedError`."
    if "AssertionError" in problem.bases and not problem.message.strip():
        return "One of your `assert` statements failed: either it is too strict, or something went wrong before it."
    if "BdbQuit" in problem.bases:
        return "A debugger was started just above, and nobody can type into it here: remove that line."
    said = (meaning.of(problem.message) for meaning in MEANINGS)
    return next((sentence for sentence in said if sentence), "")


def is_unwritten(problem: Problem) -> bool:
    """Whether the student's own code says that it is not done; torch raises the same for what it cannot do."""
    return "NotImplementedError" in problem.bases and LACKED_BY_TORCH.search(problem.message) is None
