"""What a proof says of one thing that must hold."""

from dataclasses import dataclass
from enum import StrEnum

from grader.proof.mutation import Mutation


class Section(StrEnum):
    """What a check is about, in the order in which they are told."""

    FOLDER = "folder"
    REFERENCE = "reference"
    STARTER = "starter"
    ACCEPTED = "accepted"
    TIME = "time"
    MISCONCEPTION = "misconception"
    FAMILIES = "families"
    COVERAGE = "coverage"
    MUTANTS = "mutants"
    CHEAT = "cheat"
    FORGEABLE = "forgeable"
    QUESTIONS = "questions"
    HUNT = "hunt"
    SECRETS = "secrets"


@dataclass(frozen=True)
class Check:
    """One thing that must hold, whether it does, what was seen, and what keeps it from holding where that is several.

    `margin` of a right answer is how many times its worst error stays below the tolerance; of a mistake, how many
    times its plainest error is above, on the paper where that is least. Infinite where it is not a matter of numbers.
    """

    section: Section
    name: str  # of a file; empty where the section is one check
    holds: bool
    seen: str
    problems: tuple[str, ...] = ()
    margin: float | None = None
    killed_by: tuple[str, ...] = ()
    diagnosed_as: tuple[str, ...] = ()
    mutation: Mutation | None = None

    @property
    def title(self) -> str:
        """The section, and the file's name where the check is about one."""
        return f"{self.section} {self.name}".strip()

    @property
    def told(self) -> tuple[str, ...]:
        """What was seen, if that is told at all, and then each problem."""
        return (self.seen, *self.problems) if self.seen else self.problems

    @property
    def detail(self) -> str:
        """All that is told, as one sentence."""
        return "; ".join(self.told)
