"""What a submission raised, in words and with its line: the same in the sandbox's child and in the judge.

Holds nothing secret: in the sandbox a submission can read this module's memory.
"""

import traceback
from collections import Counter
from collections.abc import Collection, Iterator

import torch

from grader.guest.execution import MOST_LINES, Problem
from grader.guest.suggest import did_you_mean

MESSAGE_CHARACTERS = 2000
MOST_FRAMES = 8
DEEP = 50  # calls of a student's that are open at a time: more than any exercise asks for


def problem_from(error: BaseException, main: str | None, own: Collection[str] = ()) -> Problem:
    """The exception in words, with the last line of the student's own files that it passed through."""
    files = {*own, main}
    frames = [*_frames(error)]
    if isinstance(error, SyntaxError):
        frames.append((str(error.filename), error.lineno, 1))
    passed = [
        (file, line, begins)
        for file, line, begins in frames
        if file in files and type(line) is int and 0 < line < MOST_LINES
    ]
    where = [(file, line) for file, line, _ in passed]
    file, line = where[-1] if where else (None, None)
    said = str(error)[:MESSAGE_CHARACTERS]
    if _lacks_memory(error, said) and len(where) > DEEP:
        said = "maximum recursion depth exceeded"  # memory was, before
        error = RecursionError(said)
    if isinstance(error, RecursionError) and where:
        (file, line), _ = Counter(where).most_common(1)[0]  # the call, not the part that happened to be the last
    text = f"{said}. {did_you_mean(error)}".removesuffix(". ")
    return Problem(
        type=type(error).__name__,
        message=text,
        line=line,
        file=None if file == main else file,
        out_of_memory=_lacks_memory(error, text),
        bases=tuple(base.__name__ for base in type(error).__mro__),
        frames=tuple(
            (None if file == main else file, line, begins) for file, line, begins in passed[: -MOST_FRAMES - 1 : -1]
        ),
    )


def _lacks_memory(error: BaseException, text: str) -> bool:
    is_said = "can't allocate memory" in text or "not enough memory" in text
    return is_said or isinstance(error, MemoryError | torch.OutOfMemoryError)


def _frames(error: BaseException) -> Iterator[tuple[str, int | None, int]]:
    for frame, line in traceback.walk_tb(error.__traceback__):
        yield frame.f_code.co_filename, line, frame.f_code.co_firstlineno
