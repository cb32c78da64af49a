"""Runs the tests of one file, one by one. A submission shares the process, and may change what is found here: outcomes
are forgeable, and whoever reads them is told so.
"""

import inspect
import traceback
from collections.abc import Sequence
from contextlib import ExitStack, contextmanager
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
    """What is wrong, with the line of the test; empty where it passed. Each set of `parametrize` is tried in turn, with
    fixtures made anew. A test of a class is told as `Class.test`.
    """
    del student
    kind, _, last = name.rpartition(".")
    in_class = getattr(_opened["module"], kind) if kind else None
    for arguments in getattr(getattr(in_class or _opened["module"], last), "sets_of_arguments", [{}]):
        said = _said_by(in_class, last, arguments)
        if said:
            given = ", ".join(f"{key}={value!r}" for key, value in arguments.items())
            return f"{said}, with {given}"[:SAID] if given else said[:SAID]
    return ""


def _said_by(in_class: type | None, name: str, arguments: dict[str, Any]) -> str:
    try:
        holders = [_opened["module"]] if in_class is None else [in_class(), _opened["module"]]
        with ExitStack() as until_the_end:
            fixtures = _Fixtures(holders, until_the_end, arguments)
            fixtures.use_automatic_ones()
            if in_class is not None and hasattr(in_class, "setup_method"):
                holders[0].setup_method()
            test = getattr(holders[0], name)
            test(**{each: fixtures.value_of(each) for each in inspect.signature(test).parameters})
    except Exception as error:  # noqa: BLE001  whatever a test raises is its outcome
        return _described(error)
    return ""


class _Fixtures:
    """What a test's parameters are called with: of `parametrize`, or what the fixture of that name gives, once."""

    def __init__(self, holders: Sequence[Any], until_the_end: ExitStack, given: dict[str, Any]) -> None:
        self._holders, self._until_the_end, self._values = holders, until_the_end, dict(given)

    def use_automatic_ones(self) -> None:
        """Makes those that are declared with `autouse`."""
        for holder in self._holders:
            for name in dir(holder):
                if is_fixture(found := getattr(holder, name)) and found.is_automatic:
                    self.value_of(name)

    def value_of(self, name: str) -> Any:
        if name not in self._values:
            self._values[name] = self._made(name)
        return self._values[name]

    def _made(self, name: str) -> Any:
        make = next((found for holder in self._holders if is_fixture(found := getattr(holder, name, None))), None)
        if make is None:
            raise LookupError(f"the fixture {name!r} is neither in this file nor known in this sandbox")
        arguments = {each: self.value_of(each) for each in inspect.signature(make).parameters}
        if inspect.isgeneratorfunction(make):
            return self._until_the_end.enter_context(contextmanager(make)(**arguments))
        return make(**arguments)


def is_fixture(found: object) -> bool:
    """Whether `pytest.fixture` has been put on it."""
    return inspect.isroutine(found) and hasattr(found, "is_automatic")


def _described(error: Exception) -> str:
    filename, lines = _opened["filename"], _opened["lines"]
    passed = [line for frame, line in traceback.walk_tb(error.__traceback__) if frame.f_code.co_filename == filename]
    said = f"{type(error).__name__}: {error}".removesuffix(": ")
    if not passed or not 0 < passed[-1] <= len(lines):
        return said
    return f"{said} ({filename}, line {passed[-1]}: {lines[passed[-1] - 1].strip()})"
