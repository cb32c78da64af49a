"""An assignment as it was read, whatever it was written for: solution, starter, prompt, tests, and what was left."""

from collections.abc import Sequence
from dataclasses import dataclass, field


class ImportRefusedError(ValueError):
    """Why nothing can be made of a source, in a sentence or two."""


@dataclass(frozen=True)
class Left:
    """Something that was not carried over: where it stands, and why."""

    where: str
    reason: str


@dataclass(frozen=True)
class Test:
    """A test as statements of Python with `assert`. `group` is the question or graded cell that it belongs to."""

    __test__ = False  # pytest: this is not a test class

    group: str
    where: str
    source: str
    points: float
    is_hidden: bool


@dataclass
class Assignment:
    """What an assignment holds. `answers` are sources of cells in which students write, `given` the other code cells;
    both are in `solution` and `starter`, in their order.
    """

    form: str
    prompt: list[str] = field(default_factory=list)
    solution: list[str] = field(default_factory=list)
    starter: list[str] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)
    tests: list[Test] = field(default_factory=list)
    left: list[Left] = field(default_factory=list)

    def add_given(self, source: str) -> None:
        """Adds code that students get as it is."""
        self.solution.append(source)
        self.starter.append(source)

    def add_answer(self, solution: str, starter: str) -> None:
        """Adds code that students write, and what they start from."""
        self.solution.append(solution)
        self.starter.append(starter)
        self.answers.append(solution)

    def leave(self, where: str, reason: str) -> None:
        """Notes what is not carried over."""
        self.left.append(Left(where, reason))

    def leave_test(self, test: Test, reason: str) -> None:
        """Notes a test that is not carried over, with the points that go with it."""
        self.leave(test.where, f"a test of {test.group} ({told_points(test.points)}): {reason}")


def told_points(points: float) -> str:
    """Points in words, with two decimals at most."""
    number = f"{points:.2f}".rstrip("0").rstrip(".")
    return f"{number} point{'' if number == '1' else 's'}"


def share_points(total: float | None, each: Sequence[float | None]) -> list[float]:
    """Points of each test of a question, as Otter resolves them: what a test does not say, it gets of what is left.

    Of a question that says nothing, all tests together are worth 1; where some say more than 0, the others are worth 0.
    """
    said = sum(points for points in each if points is not None)
    silent = sum(points is None for points in each)
    if total is None:
        total = said if said else 1.0
    rest = max(total - said, 0.0) / silent if silent else 0.0
    return [rest if points is None else points for points in each]
