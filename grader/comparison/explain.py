"""What an exception means, in a plain sentence for the student whose code raised it; nothing where that is not sure."""

import re

from grader.comparison.meanings import MEANINGS
from grader.guest.execution import Problem

LACKED_BY_TORCH = re.compile(r"not implemented for|^NYI\b|^Could not run|\bsupport(s|ed)?\b")


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
