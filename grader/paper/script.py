"""For authors: a case that is a sequence of calls on objects which stay in the sandbox."""

from collections.abc import Mapping, Sequence
from typing import Any

from grader.guest.execution import Call, Gives, GradMode
from grader.guest.moves import Move, MoveKind
from grader.guest.values import MOST_TAKEN, Handle, frozen


class Script:
    """Calls in their order, about one entry point. What each gives can be used by those after it, through its handle:
    as the object of a method, as an argument, in a list or dictionary of arguments.

    What `call`, `method` and `read` give is compared with what the reference gives in its place; of an object that is
    no data, only that it is one. `what` says in a student's words what is compared; `raises` are names of exceptions
    of which one must be raised there.
    """

    def __init__(self, function: str) -> None:
        self._function = function
        self._moves: list[Move] = []

    def let(self, value: Any, *, requires_grad: bool = False) -> Handle:
        """Make a value in the sandbox, to be used by several calls, or looked at after them."""
        kind = MoveKind.LET
        return self._add(Move(kind, target=frozen(value), requires_grad=requires_grad, is_seen=False))

    def call(
        self,
        function: str,
        arguments: Mapping[str, Any],
        *,
        what: str = "",
        raises: Sequence[str] = (),
        is_compared: bool = True,
    ) -> Handle:
        """Call an entry point; a class gives an object. Arguments by the contract's names, in its order."""
        named = {name: frozen(value) for name, value in arguments.items()}
        what = what or f"result of `{function}(...)`"
        return self._add(
            Move(MoveKind.CALL, function, named=named, what=what, raises=tuple(raises), is_seen=is_compared)
        )

    def method(
        self,
        of: Handle,
        name: str,
        *positional: Any,
        named: Mapping[str, Any] | None = None,
        what: str = "",
        raises: Sequence[str] = (),
        is_compared: bool = True,
    ) -> Handle:
        """Call a method of an object."""
        move = Move(
            MoveKind.METHOD,
            name,
            of,
            tuple(frozen(value) for value in positional),
            {key: frozen(value) for key, value in (named or {}).items()},
            what=what or f"result of `{name}(...)`",
            raises=tuple(raises),
            is_seen=is_compared,
        )
        return self._add(move)

    def read(self, of: Any, name: str = "", *, what: str = "") -> Handle:
        """Look at an attribute of an object; without a name, at the object itself, or at several in a list."""
        told = what or (f"attribute `{name}`" if name else "state")
        return self._add(Move(MoveKind.READ, name, frozen(of), what=told))

    def set(self, of: Handle, name: str, value: Any) -> None:
        """Give an attribute of an object this value: the gradient of a parameter, say."""
        self._add(Move(MoveKind.SET, name, of, (frozen(value),), is_seen=False))

    def item(self, of: Handle, place: Any) -> Handle:
        """One of what a call gave, where that was several."""
        return self._add(Move(MoveKind.ITEM, target=of, positional=(frozen(place),), is_seen=False))

    def as_call(
        self,
        *,
        grad_mode: GradMode = GradMode.DEFAULT,
        most_taken: int = MOST_TAKEN,
        random_seed: int | None = None,
    ) -> Call:
        """The whole as the call of a case. With `random_seed`, random generators start there before the first step."""
        return Call(
            "",
            self._function,
            {},
            gives=Gives.VALUES,
            moves=tuple(self._moves),
            grad_mode=grad_mode,
            most_taken=most_taken,
            random_seed=random_seed,
        )

    def _add(self, move: Move) -> Handle:
        self._moves.append(move)
        return Handle(len(self._moves) - 1)
