"""Where things lie in a sandbox, wherever the machine has them: the same paths for the zygote and in an image."""

import json
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

HOME: Final = "/assay"
PYTHON: Final = f"{HOME}/bin/python"
LIBRARIES: Final = f"{HOME}/lib"  # shared ones that came with Python; Python looks for its standard library beside them
PACKAGES: Final = f"{HOME}/packages"
CODE: Final = f"{HOME}/code"  # our own modules
LAYOUT: Final = f"{HOME}/layout.json"  # the tree that a container's image has
TMP: Final = "/tmp"  # noqa: S108  a fresh, small tmpfs for each child
# No site module: no start-up file runs, and only listed folders can be imported from.
PYTHON_OPTIONS: Final = ("-I", "-S", "-B", "-u", "-c")


@dataclass(frozen=True)
class Piece:
    """A file or folder of the machine, and where a submission finds it."""

    source: str
    target: str


@dataclass(frozen=True)
class Tree:
    """`libraries` are bound whole; `hidden`, inside their targets, become empty; then `packages` are bound."""

    libraries: tuple[Piece, ...]
    hidden: tuple[str, ...]
    packages: tuple[Piece, ...]

    @property
    def folders(self) -> tuple[str, ...]:
        """The folders in which a submission finds the libraries."""
        return tuple(piece.target for piece in self.libraries)

    @property
    def import_path(self) -> tuple[str, ...]:
        """The entries that `sys.path` gets after the standard library."""
        return tuple(sorted({piece.target.rpartition("/")[0] for piece in self.packages}))

    def in_place(self) -> "Tree":
        """Returns the tree for a process that has everything at its target already. Says nothing about the machine."""
        return replace(self, libraries=_in_place(self.libraries), packages=_in_place(self.packages))

    def to_json(self) -> str:
        """Writes the tree as `from_json` reads it."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> "Tree":
        """Reads a tree. Trusts the text: it comes from `to_json`."""
        data: dict[str, Any] = json.loads(text)
        libraries, packages = (tuple(Piece(**piece) for piece in data[name]) for name in ("libraries", "packages"))
        return cls(libraries, tuple(data["hidden"]), packages)


def _in_place(pieces: tuple[Piece, ...]) -> tuple[Piece, ...]:
    return tuple(Piece(piece.target, piece.target) for piece in pieces)
