"""Runs the tests of one file, function by function. A submission shares the process, and may change what is found here:
outcomes are forgeable, and whoever reads them is told so.
"""

import traceback
from collections.abc import Callable
from types import ModuleType
from typing import Any

SAID = 500  # characters of what a test says
_opened: dict[str, Any] = {}


def open_tests(student: ModuleType, filename: str, source: str) -> bool:
    """Runs the file itself, which imports the submission. Raises whatever it raises."""
    del student  # which is imported by its own name
    module = ModuleType(filename.removesuffix(".py"))
    _opened.update(module=module, filename=filename, lines=source.splitlines())
    exec(compile(source, filename, "exec", dont_inherit=True), module.__dict__)  # noqa: S102  the lecturer's tests
    return True


def run_test(student: ModuleType, name: str) -> str:
    """What is wrong, with the line of the test; empty where it passed. Each set of `parametrize` is tried in turn."""
    del student
    test = getattr(_opened["module"], name)
    for arguments in getattr(test, "sets_of_arguments", [{}]):
        said = _said_by(test, arguments)
        if said:
            given = ", ".join(f"{key}={value!r}" for key, value in arguments.items())
            return f"{said}, with {given}"[:SAID] if given else said[:SAID]
    return ""


def _said_by(test: Callable[..., None], arguments: dict[str, Any]) -> str:
    try:
        test(**arguments)
    except Exception as error:  # noqa: BLE001  whatever a test raises is its outcome
        return _described(error)
    return ""


def _described(error: Exception) -> str:
    filename, lines = _opened["filename"], _opened["lines"]
    passed = [line for frame, line in traceback.walk_tb(error.__traceback__) if frame.f_code.co_filename == filename]
    said = f"{type(error).__name__}: {error}".removesuffix(": ")
    if not passed or not 0 < passed[-1] <= len(lines):
        return said
    return f"{said} ({filename}, line {passed[-1]}: {lines[passed[-1] - 1].strip()})"
