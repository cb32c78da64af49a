"""Which modules of the student's own package a file imports, transitively, read from the source: nothing is run."""

import ast
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath


@dataclass(frozen=True)
class Import:
    """`import base`, or `from base import names` with `base` made absolute."""

    base: str
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class Package:
    """The student's package on disk: its top folder, and the name it is imported by (empty for loose modules)."""

    folder: Path
    name: str

    @classmethod
    def of(cls, file: Path, default_path: str) -> "Package":
        """`file` stands where the challenge wants `default_path`, whatever the student's own folder is called."""
        parents = PurePosixPath(default_path).parent.parts
        folder = file.resolve().parents[max(len(parents) - 1, 0)]
        return cls(folder, parents[0] if parents else "")

    def sent_as(self, file: Path) -> str:
        """The module path under which the server lays the file out."""
        return (PurePosixPath(self.name) / file.relative_to(self.folder).as_posix()).as_posix()

    def module(self, dotted: str) -> Path | None:
        """The file of a module inside the package; None when there is none, or it is not ours."""
        names = [name for name in dotted.split(".") if name]
        if not names:
            return None
        if self.name:
            if names[0] != self.name:
                return None
            names = names[1:]
        base = self.folder.joinpath(*names)
        for candidate in (base / "__init__.py", base.with_suffix(".py") if names else None):
            if candidate is not None and self._is_ours(candidate):
                return candidate
        return None

    def _is_ours(self, file: Path) -> bool:
        return file.is_file() and file.resolve().is_relative_to(self.folder)


def imported_siblings(file: Path, source: bytes, default_path: str) -> dict[str, bytes]:
    """Module path -> bytes of every module that the file (its text is `source`) needs from its own package, by path.

    Intermediate `__init__.py` files of sub-packages come along; the package's own only when a name is imported
    from it, since many only read their version from metadata that no grader has.
    """
    package = Package.of(file, default_path)
    uploaded = file.resolve()
    main_module = package.folder / PurePosixPath(default_path).relative_to(package.name or ".")
    found: dict[Path, bytes] = {}
    waiting = [(main_module, source)]
    while waiting:
        module, source = waiting.pop()
        for path in _needed(package, module, source):
            if path in found or path in {uploaded, main_module}:
                continue
            found[path] = path.read_bytes()
            waiting.append((path, found[path]))
    return {package.sent_as(path): found[path] for path in sorted(found)}


def _needed(package: Package, module: Path, source: bytes) -> Iterator[Path]:
    for wanted in _imports(source, _own_package(package, module)):
        for path in _files(package, wanted):
            yield path
            yield from _inits_above(package, path)


def _files(package: Package, wanted: Import) -> Iterator[Path]:
    inner = [package.module(f"{wanted.base}.{name}") for name in wanted.names]
    yield from (path for path in inner if path is not None)
    if wanted.base == package.name and inner and None not in inner:
        return  # only modules were asked for, not a name that `__init__.py` defines
    base = package.module(wanted.base)
    if base is not None and (wanted.names or base.name != "__init__.py" or wanted.base != package.name):
        yield base


def _inits_above(package: Package, path: Path) -> Iterator[Path]:
    for parent in path.parents:
        if parent == package.folder or not parent.is_relative_to(package.folder):
            return
        if (init := parent / "__init__.py").is_file():
            yield init


def _own_package(package: Package, module: Path) -> str:
    """The dotted package in which a module's relative imports start."""
    return ".".join(PurePosixPath(package.sent_as(module)).parent.parts)


def _imports(source: bytes, own_package: str) -> Iterator[Import]:
    for node in ast.walk(_parse(source)):
        if isinstance(node, ast.Import):
            yield from (Import(alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield Import(_absolute(node, own_package), tuple(alias.name for alias in node.names))


def _absolute(node: ast.ImportFrom, own_package: str) -> str:
    if not node.level:
        return node.module or ""
    parents = own_package.split(".") if own_package else []
    kept = parents[: len(parents) - (node.level - 1)]
    return ".".join([*kept, *(node.module or "").split(".")]).strip(".")


def _parse(source: bytes) -> ast.AST:
    """An empty module for what does not parse: the grader says so better than we can."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a student's `"\d"` is not our warning
        try:
            return ast.parse(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return ast.Module(body=[], type_ignores=[])
