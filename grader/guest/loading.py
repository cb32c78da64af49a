"""Imports a submission from memory, with what the exercise lays beside it: the same in the sandbox's child and in the
judge. Holds nothing secret: in the sandbox a submission can read this module's memory.
"""

import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import Distribution, DistributionFinder
from pathlib import PurePosixPath
from types import ModuleType
from typing import Any, NoReturn

from grader.guest.binding import call_with
from grader.guest.notebook import module_files
from grader.guest.standins import MAKER, StandIns
from grader.guest.submission import Submission

HARNESS = "harness.py"


def is_harness(path: str) -> bool:
    """Whether this file of an exercise is its harness, or a further part of it: `harness_NAME.py`."""
    return path == HARNESS or (path.startswith("harness_") and "/" not in path)


@dataclass(frozen=True)
class Program:
    """What calls are put to.

    `harness` says how an entry point is called that is not a plain function. `own` are the files of the submission,
    `support` those of the libraries that the exercise lays beside it. `noticed` is why it is no longer traced
    lightly, `held` what one call keeps for the next.
    """

    module: ModuleType
    harness: ModuleType | None = None
    own: frozenset[str] = frozenset()
    support: frozenset[str] = frozenset()
    noticed: set[str] = field(default_factory=set, compare=False)
    held: dict[str, Any] = field(default_factory=dict, compare=False)

    def function(self, name: str) -> Callable[..., Any]:
        """The entry point as a function of the contract's arguments. Raises AttributeError where there is none."""
        through: Callable[..., Any] | None = getattr(self.harness, name, None)
        if through is not None:
            return partial(through, self.module)
        function: Callable[..., Any] = getattr(self.module, name)
        return function


def load_program(submission: Submission) -> Program:
    """Import the uploaded file, with its siblings importable beside it. Raises whatever the module raises."""
    serve_support(submission.support)
    stand_ins = StandIns(frozenset(submission.files), submission.modules) if submission.modules else None
    finder = MemoryFinder(module_files(submission), stand_ins)
    sys.meta_path.insert(0, finder)
    return program_of(finder.import_module(_module_name(submission.main)), submission)


def program_of(module: ModuleType, submission: Submission) -> Program:
    """A module that is loaded already, with the exercise's own files."""
    return Program(
        module=module,
        harness=load_harness(submission.support),
        own=frozenset(submission.files),
        support=frozenset(path for path in submission.support if not is_harness(path)),
    )


@contextmanager
def imported_anew(module: ModuleType) -> Iterator[ModuleType]:
    """The submission as another process would import it: no variable of its modules has what an earlier call put there.
    While this lasts, `import` and `pickle` find the new modules under their names. Raises whatever the module raises.
    """
    spec = module.__spec__
    if spec is None or spec.loader is None:
        message = f"nothing says how {module.__name__} was loaded"
        raise ImportError(message)
    if not isinstance(spec.loader, MemoryFinder):
        new = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(new)
        yield new
        return
    earlier = spec.loader.take_imported()
    try:
        yield spec.loader.import_module(spec.name)
    finally:
        spec.loader.take_imported()
        sys.modules.update(earlier)


def serve_support(support: Mapping[str, bytes]) -> None:
    """Make the exercise's libraries importable, behind everything that is installed. Other libraries of the same names,
    those of another version of the exercise, are forgotten: whoever has imported them keeps them.
    """
    libraries = {path: source for path, source in support.items() if not is_harness(path)}
    if not libraries:
        return
    finder = MemoryFinder(libraries)
    if finder in sys.meta_path:
        return
    others = [other for other in sys.meta_path if isinstance(other, MemoryFinder) and other.tops & finder.tops]
    for other in others:
        sys.meta_path.remove(other)
        for name in [name for name in sys.modules if name in other.files or name in other.packages]:
            del sys.modules[name]
    sys.meta_path.append(finder)


def load_harness(support: Mapping[str, bytes]) -> ModuleType | None:
    """All its files as one module, under no name that a submission could have taken."""
    if HARNESS not in support:
        return None
    module = ModuleType("harness")
    # At hand, so that no exercise needs to know where they are defined.
    module.__dict__.update(call_with=call_with, imported_anew=imported_anew)
    for path in sorted(filter(is_harness, support)):
        exec(compile(support[path], path, "exec", dont_inherit=True), module.__dict__)  # noqa: S102  the exercise's
    return module


class MemoryFinder(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Serves files as modules; folders become namespace packages. With `stand_ins`, those are what is missing."""

    def __init__(self, sources: Mapping[str, bytes], stand_ins: StandIns | None = None) -> None:
        self.stand_ins = stand_ins
        self.files = {_module_name(path): (path, source) for path, source in sources.items()}
        self.packages = {
            name.rsplit(".", depth)[0] for name in self.files for depth in range(1, name.count(".") + 1)
        } - set(self.files)
        self.tops = {name.partition(".")[0] for name in self.files}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MemoryFinder) and self.files == other.files

    def __hash__(self) -> int:
        return hash(frozenset(self.files))

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        del path, target
        if fullname in self.packages:
            spec = importlib.machinery.ModuleSpec(fullname, None, is_package=True)
            spec.submodule_search_locations = []
            return spec
        if fullname in self.files:
            origin = self.files[fullname][0]
            spec = importlib.machinery.ModuleSpec(fullname, self, origin=origin, is_package=self.is_package(fullname))
            spec.has_location = True
            return spec
        return None

    def import_module(self, name: str) -> ModuleType:
        """Imports one of its modules. Raises whatever the module raises."""
        if self.stand_ins is None:
            return importlib.import_module(name)
        self.stand_ins.is_importing = True
        try:
            return importlib.import_module(name)
        finally:
            self.stand_ins.is_importing = False

    def take_imported(self) -> dict[str, ModuleType]:
        """Takes its modules out of `sys.modules`, but for others that had their names before."""
        origins = {name: path for name, (path, _) in self.files.items()} | dict.fromkeys(self.packages)
        found = {name: getattr(sys.modules[name], "__spec__", None) for name in origins.keys() & sys.modules.keys()}
        own = [name for name, spec in found.items() if spec is not None and spec.origin == origins[name]]
        return {name: sys.modules.pop(name) for name in own}

    def find_distributions(self, context: DistributionFinder.Context) -> Iterable[Distribution]:
        """The student's own packages, as if they were installed: many read their version when they are imported."""
        tops = {name.partition(".")[0] for name in self.files}
        wanted = (context.name or "").replace("-", "_").lower()
        return [_Installed(top) for top in sorted(tops) if self.stand_ins is not None and top.lower() == wanted]

    def is_package(self, fullname: str) -> bool:
        return PurePosixPath(self.files[fullname][0]).name == "__init__.py"

    def get_source(self, fullname: str) -> str:
        return importlib.util.decode_source(self.files[fullname][1])

    def get_code(self, fullname: str) -> Any:
        path, source = self.files[fullname]
        if self.stand_ins is not None:
            return self.stand_ins.compile(path, source)
        return compile(source, path, "exec", dont_inherit=True)

    def exec_module(self, module: ModuleType) -> None:
        module.__file__ = self.files[module.__name__][0]
        if self.stand_ins is not None:
            module.__dict__[MAKER] = self.stand_ins.make
        exec(self.get_code(module.__name__), module.__dict__)  # noqa: S102  running the submission is what this is for
        module.__dict__.pop(MAKER, None)


@dataclass(frozen=True)
class _Installed(Distribution):
    """What `importlib.metadata` says of a package of the student's."""

    package: str

    def read_text(self, filename: str) -> str | None:
        return f"Name: {self.package}\nVersion: 0.0.0\n" if filename == "METADATA" else None

    def locate_file(self, path: object) -> NoReturn:
        raise FileNotFoundError(path)  # nothing lies on a disk


def _module_name(path: str) -> str:
    parts = PurePosixPath(path).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)
