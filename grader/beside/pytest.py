"""What there is of pytest in the sandbox: `raises`, `approx`, `fixture` and `mark.parametrize`."""

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import TracebackType
from typing import Any, NoReturn, TypeVar

F = TypeVar("F", bound=Callable[..., Any])
HERE = "pytest.raises, pytest.approx, pytest.fixture and pytest.mark.parametrize"


def __getattr__(name: str) -> NoReturn:
    raise AttributeError(f"pytest.{name} is not known in this sandbox, which has {HERE}")


class raises:  # noqa: N801  pytest's name
    """A block that must raise one of these, with a message in which `match` is found."""

    def __init__(self, expected: type[BaseException] | tuple[type[BaseException], ...], match: str = "") -> None:
        self._expected, self._match = expected, match
        self.value: BaseException | None = None

    def __enter__(self) -> "raises":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        del trace
        if kind is None:
            raise AssertionError(f"did not raise {self._expected}")
        if not issubclass(kind, self._expected):
            return False
        if not re.search(self._match, str(error)):
            raise AssertionError(f"{error} does not match {self._match!r}")
        self.value = error
        return True


class approx:  # noqa: N801  pytest's name
    """Equal to numbers that are near: of a list, tuple, array or dictionary, one by one."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, expected: Any, rel: float = 1e-6, abs: float = 1e-12) -> None:
        self._expected, self._rel, self._abs = _plain(expected), rel, abs

    def __eq__(self, other: object) -> bool:
        return self._is_near(self._expected, _plain(other))

    def __repr__(self) -> str:
        return f"about {self._expected!r}"

    def _is_near(self, wanted: Any, found: Any) -> bool:
        if isinstance(wanted, Mapping):
            same = isinstance(found, Mapping) and wanted.keys() == found.keys()
            return same and all(self._is_near(item, found[key]) for key, item in wanted.items())
        if isinstance(wanted, Sequence) and not isinstance(wanted, str):
            same = isinstance(found, Sequence) and len(wanted) == len(found)
            return same and all(map(self._is_near, wanted, found))
        if isinstance(wanted, int | float) and isinstance(found, int | float):
            return math.isclose(found, wanted, rel_tol=self._rel, abs_tol=self._abs)
        return bool(wanted == found)


def _plain(value: Any) -> Any:
    """Of an array or tensor, its numbers."""
    return value.tolist() if hasattr(value, "tolist") else value


def _parametrize(names: str | Sequence[str], values: Iterable[Any]) -> Callable[[F], F]:
    listed = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    sets = [dict(zip(listed, value if len(listed) > 1 else (value,), strict=True)) for value in values]

    def mark_it(test: F) -> F:
        before = getattr(test, "sets_of_arguments", [{}])
        test.__dict__["sets_of_arguments"] = [one | other for one in before for other in sets]
        return test

    return mark_it


class _Marks:
    """All marks there are."""

    parametrize = staticmethod(_parametrize)

    def __getattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"pytest.mark.{name} is not known in this sandbox, which has {HERE}")


mark = _Marks()


def fixture(function: F | None = None, *, scope: str = "function", autouse: bool = False) -> Any:
    """A parameter of tests, made anew for each of them whatever the scope; what follows `yield` is done at the end."""
    del scope

    def mark_it(function: F) -> F:
        function.__dict__["is_automatic"] = autouse
        return function

    return mark_it if function is None else mark_it(function)
