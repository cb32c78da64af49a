"""What can be learned from a submission's source without running it: data only. `grader.guest.source` reads it.

Knows no torch: it runs in a small bounded process, because a parser can be bombed.
"""

from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any


class EntryKind(StrEnum):
    """What an entry point is defined as."""

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

    @property
    def written(self) -> str:
        """As the exercise prints it, defaults left open."""
        required = len(self.parameters) - self.optional
        names = [name if place < required else f"{name}=..." for place, name in enumerate(self.parameters)]
        return f"{self.name}({', '.join([*names, '*', *self.keywords] if self.keywords else names)})"


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
    starter: str = ""  # what students begin with: sent as it is, there is nothing to grade


@dataclass(frozen=True)
class Place:
    """A line of the student's code. `file` is the sibling module that it is in; without one it is the uploaded file."""

    line: int
    file: str | None = None


def place_in(path: str, line: int, main: str) -> Place:
    """A line of the file at `path`, as it is told to students."""
    return Place(line, None if path == main else path)


class FindingKind(StrEnum):
    """What in a source speaks against a rule, or may hide that one is broken."""

    LOOP = "loop"  # in Python, within reach of the main entry point
    LIBRARY = "library"  # a call that the exercise forbids
    SCRIPT = "script"  # compiled by torch, beside such a call: what runs in it is not always seen
    INTROSPECTION = "introspection"  # asks who is watching, or steps out of sight


@dataclass(frozen=True)
class StaticFinding:
    """What was found, and the line that it is on. What the code is seen to do confirms it or clears it."""

    kind: FindingKind
    place: Place


@dataclass(frozen=True)
class Landmark:
    """A line on which a tell-tale name is used; `is_thrown_away` where it is a call whose result nothing takes."""

    name: str
    place: Place
    is_thrown_away: bool = False


@dataclass(frozen=True)
class WeightCopy:
    """A line that copies given weights into `module`, and `way`, the call or attribute that does it. `patch` is a
    unified diff that keeps the gradient, where one could be made.
    """

    place: Place
    way: str
    module: str
    patch: str | None = None


@dataclass(frozen=True)
class Refusal:
    """Why a submission cannot be graded as sent, in a sentence for the student."""

    message: str
    place: Place | None = None


@dataclass(frozen=True)
class Inspection:
    """What the reader found. With a refusal, nothing else is filled in."""

    refusal: Refusal | None = None
    findings: tuple[StaticFinding, ...] = ()
    places: dict[str, Place] = field(default_factory=dict)  # entry point -> its definition
    ends: dict[str, Place] = field(default_factory=dict)  # entry point -> the last statement of its body
    by_name: tuple[str, ...] = ()  # entry points whose arguments can only be passed by name
    reachable: dict[str, tuple[str, ...]] = field(default_factory=dict)  # entry point -> own functions it can reach
    landmarks: dict[str, tuple[Landmark, ...]] = field(default_factory=dict)  # own function -> what it uses
    copies: tuple[WeightCopy, ...] = ()  # of the weights, within reach of the main entry point

    def to_json(self) -> dict[str, Any]:
        """All of it as dictionaries, lists and plain values."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Inspection":
        """Raises KeyError, TypeError or ValueError when `data` is not what `to_json` wrote."""
        refusal = data["refusal"]
        return cls(
            refusal=Refusal(refusal["message"], _place(refusal["place"])) if refusal else None,
            findings=tuple(
                StaticFinding(FindingKind(found["kind"]), Place(**found["place"])) for found in data["findings"]
            ),
            places={str(name): Place(**place) for name, place in data["places"].items()},
            ends={str(name): Place(**place) for name, place in data["ends"].items()},
            by_name=tuple(str(name) for name in data["by_name"]),
            reachable={str(name): tuple(reached) for name, reached in data["reachable"].items()},
            landmarks={
                str(function): tuple(
                    Landmark(str(mark["name"]), Place(**mark["place"]), bool(mark["is_thrown_away"])) for mark in marks
                )
                for function, marks in data["landmarks"].items()
            },
            copies=tuple(WeightCopy(**copy | {"place": Place(**copy["place"])}) for copy in data["copies"]),
        )


def _place(data: dict[str, Any] | None) -> Place | None:
    return None if data is None else Place(**data)
