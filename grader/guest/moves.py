"""A sequence of calls as one case: what is made stays in the sandbox, and is called again.

Holds nothing secret: in the sandbox a submission can read this module's memory.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from grader.guest.values import Data


class MoveKind(StrEnum):
    """What a move does with its first argument, `target`, its `name`, and the rest."""

    LET = "let"  # make this value, which later moves may use: `target` itself
    CALL = "call"  # call the entry point `name`
    METHOD = "method"  # call the method `name` of the object
    READ = "read"  # read the attribute `name` of the object, or the object itself where there is no name
    SET = "set"  # give the attribute `name` of the object this value
    ITEM = "item"  # of a tuple, list or dictionary, what is at this place


@dataclass(frozen=True, eq=False)
class Move:
    """One step of a sequence. What it gives is the object of the handle with its number.

    `is_seen`: a copy of what it gives leaves the sandbox, and is compared. `requires_grad` is for the tensors that a
    LET makes. `what` it gives, in words, and which exception it `raises` if it must, are the judge's: to the sandbox
    goes only that it `may_raise`.
    """

    kind: MoveKind
    name: str = ""
    target: Data = None
    positional: tuple[Data, ...] = ()
    named: Mapping[str, Data] = field(default_factory=dict)
    is_seen: bool = True
    requires_grad: bool = False
    what: str = ""
    raises: tuple[str, ...] = ()

    @property
    def may_raise(self) -> bool:
        """Whether an exception is an answer, and the sequence goes on."""
        return bool(self.raises)
