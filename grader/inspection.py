"""What can be learned from a submission's source without running it: data only. The reader itself is `grader.source`.

Knows no torch: it runs in a small bounded process, because a parser can be bombed.
"""

from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any


class EntryKind(StrEnum):
    FUNCTION = "function"
    CLASS = "class"


@dataclass(frozen=True)
class EntryPoint:
    """A name that the submission must define. `parameters` in the contract's order; the last `optional` have
    defaults; `keywords` are given by name only. For a class they are those of `__init__` without self, and `methods`
    are what it must define or inherit.
    """

    name: str
    parameters: tuple[str, ...]
    optional: int = 0
    keywords: tuple[str, ...] = ()
    kind: EntryKind = EntryKind.FUNCTION
    methods: tuple[str, ...] = ()


@dataclass(frozen=True)
class SourceRules:
    """What the reader looks for. `main` is the entry point that the rules about structure speak of."""

    main: str
    entry_points: tuple[EntryPoint, ...]
    modules: tuple[str, ...]  # top-level modules that may be imported besides the standard library
    forbidden_calls: tuple[str, ...] = ()  # library attention, by last name
    heads_parameter: str | None = None  # the argument that counts the heads
    source_bytes: int = 256 * 1024
    landmarks: tuple[str, ...] = ()  # names whose lines are wanted


@dataclass(frozen=True)
class Suspicion:
    """A rule that the source seems to break. Behaviour confirms it or clears it."""

    rule: str
    line: int
    message: str


@dataclass(frozen=True)
class Refusal:
    """Why a submission cannot be graded as sent, in a sentence for the student."""

    message: str
    line: int | None = None


@dataclass(frozen=True)
class Inspection:
    """What the reader found. With a refusal, nothing else is filled in."""

    refusal: Refusal | None = None
    suspicions: tuple[Suspicion, ...] = ()
    lines: dict[str, int] = field(default_factory=dict)  # entry point -> line of its definition
    reachable: dict[str, tuple[str, ...]] = field(default_factory=dict)  # entry point -> own functions it can reach
    landmarks: dict[str, dict[str, tuple[int, ...]]] = field(default_factory=dict)  # own function -> name -> lines

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Inspection":
        """Raises KeyError or TypeError when `data` is not what `to_json` wrote."""
        refusal = data["refusal"]
        return cls(
            refusal=Refusal(**refusal) if refusal else None,
            suspicions=tuple(Suspicion(**suspicion) for suspicion in data["suspicions"]),
            lines={str(name): int(line) for name, line in data["lines"].items()},
            reachable={str(name): tuple(reached) for name, reached in data["reachable"].items()},
            landmarks={
                str(function): {str(name): tuple(int(line) for line in lines) for name, lines in found.items()}
                for function, found in data["landmarks"].items()
            },
        )
