"""An exception as data. Holds nothing secret."""

from dataclasses import dataclass

# Types of what takes too long: a call, the import, and either of them where it waits. Python has no exception for that.
LATE_CALL, LATE_IMPORT, WAITING = "Late", "LateImport", "Waiting"

Frame = tuple[str | None, int, int]  # file as in a problem, line, and the line that the function begins in


@dataclass(frozen=True)
class Problem:
    """An exception as the sandbox tells it: advice for the message, never for the verdict. All of it may be forged."""

    type: str
    message: str
    line: int | None = None  # in one of the student's files
    file: str | None = None  # the sibling module that `line` is in; None is the uploaded file
    out_of_memory: bool = False
    bases: tuple[str, ...] = ()  # names of the exception's classes, most derived first
    frames: tuple[Frame, ...] = ()  # of the student's own functions that it passed through, innermost first

    @property
    def is_of_the_harness(self) -> bool:
        """Whether the exercise's harness says what it did not find: that passes through no line of the student's."""
        return self.type == "LookupError" and self.line is None
