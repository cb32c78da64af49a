"""Exceptions in a frame: shortened where they are written, and trusted in nothing where they are read."""

from dataclasses import asdict
from typing import Any

from grader.guest.execution import MOST_LINES
from grader.guest.problem import Frame, Problem
from worker.sandbox.fields import MESSAGE_CHARACTERS, flag_of, list_of, require, short, text_of


def encode_problem(problem: Problem | None) -> dict[str, Any] | None:
    """Writes a problem as JSON, cut to the lengths that `decode_problem` accepts."""
    if problem is None:
        return None
    return asdict(problem) | {
        "type": short(problem.type),
        "file": None if problem.file is None else short(problem.file),
        "message": problem.message[:MESSAGE_CHARACTERS].encode("utf-8", "replace").decode(),
        "bases": [short(name) for name in problem.bases[:8]],
        "frames": [[None if file is None else short(file), *lines] for file, *lines in problem.frames],
    }


def decode_problem(data: object) -> Problem | None:
    """Reads a problem. Raises MalformedFrameError, TypeError or KeyError for what `encode_problem` never writes."""
    if data is None:
        return None
    require(isinstance(data, dict), "a problem that is not an object")
    assert isinstance(data, dict)
    return Problem(
        type=text_of(data["type"]),
        message=text_of(data["message"], MESSAGE_CHARACTERS),
        line=None if data["line"] is None else _line(data["line"]),
        file=_file(data["file"]),
        out_of_memory=flag_of(data["out_of_memory"]),
        bases=tuple(text_of(name) for name in list_of(data["bases"])),
        frames=tuple(map(_frame, list_of(data["frames"]))),
    )


def _frame(value: object) -> Frame:
    items = list_of(value)
    require(len(items) == 3, "a frame that is not a file and two lines")
    return _file(items[0]), _line(items[1]), _line(items[2])


def _file(value: object) -> str | None:
    return None if value is None else text_of(value)


def _line(value: object) -> int:
    require(type(value) is int and 0 < value < MOST_LINES, "the line of a problem")
    assert isinstance(value, int)
    return value
