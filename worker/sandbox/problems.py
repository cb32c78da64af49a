"""Exceptions in a frame: shortened where they are written, and trusted in nothing where they are read."""

from dataclasses import asdict
from typing import Any

from grader.guest.execution import MOST_LINES
from grader.guest.problem import Problem
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
    }


def decode_problem(data: object) -> Problem | None:
    """Reads a problem. Raises MalformedFrameError, TypeError or KeyError for what `encode_problem` never writes."""
    if data is None:
        return None
    require(isinstance(data, dict), "a problem that is not an object")
    assert isinstance(data, dict)
    line = data["line"]
    require(line is None or (type(line) is int and 0 < line < MOST_LINES), "the line of a problem")
    return Problem(
        type=text_of(data["type"]),
        message=text_of(data["message"], MESSAGE_CHARACTERS),
        line=line,
        file=None if data["file"] is None else text_of(data["file"]),
        out_of_memory=flag_of(data["out_of_memory"]),
        bases=tuple(text_of(name) for name in list_of(data["bases"])),
    )
