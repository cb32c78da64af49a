"""Which modules of the student's own a file imports, transitively, read from the source: nothing is run.

They are found as Python finds them at home, and sent under the names that they are imported by.
"""

import ast
import sys
import warnings
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Final

MARKERS: Final = (
    "engine.toml",
    ".assay.json",
    "pyproject.toml",
    "setup.py",
    "setup.cfg",
    ".git",
)  # of a project's root
SOURCES: Final = "src"


@dataclass(frozen=True)
class Import:
    """`import base`, or `from base import names` with `base` made absolute. `is_bound` where it gives the name of the
    outermost package, through which the code may reach whatever that holds.
    """

    base: str
    names: tuple[str, ...] = ()
    is_bound: bool = False


@dataclass(frozen=True)
class Packed:
    """The modules that a file needs, by the path under which each is imported, and the path of the file itself."""

    main: str
    siblings: dict[str, bytes] = field(repr=False)


@dataclass(frozen=True)
class ImportPath:
    """The folders in which a student's modules are found, in order; nothing outside of `project` is, nor outside of
    `within`, if told. `taken` are names that the grader's own libraries have.
    """

    project: Path
    roots: tuple[Path, ...]
    taken: Collection[str] = ()
    within: Path | None = None

    @classmethod
    def of(
        cls,
        file: Path,
        default_path: str,
        modules: Collection[str] = (),
        project: Path | None = None,
        within: Path | None = None,
    ) -> "ImportPath":
        """Looks where whoever runs the project's tests would: first in the folder around the file's package, then in
        `src` and the project itself, then in the file's own folder, which comes first where it is no package but holds
        scripts.
        """
        file = file.resolve()
        project = project_of(file, default_path) if project is None else project.resolve()
        scripts = (file.parent,) if _around_package(file, project) is None else ()
        between = [folder for folder in reversed(file.parents) if folder.is_relative_to(project)]
        roots = dict.fromkeys((*scripts, _root_of(file, project, default_path), project / SOURCES, *between))
        return cls(project, tuple(roots), frozenset({*modules, *sys.stdlib_module_names}), within)

    def path_of(self, file: Path, default_path: str) -> str:
        """The path by which the file is imported. What cannot be a module's name is replaced by the usual one."""
        file = file.resolve()
        root = _root_of(file, self.project, default_path)
        name = f"{file.stem if file.stem.isidentifier() else PurePosixPath(default_path).stem}.py"
        return (PurePosixPath(file.parent.relative_to(root).as_posix()) / name).as_posix()

    def module(self, dotted: str) -> tuple[str, Path] | None:
        """The path by which a module is imported, and its file; None when there is none, or it is not the student's."""
        names = dotted.split(".")
        if not all(names) or names[0] in self.taken:
            return None
        inside = PurePosixPath(*names)
        for root in self.roots:
            for path in (inside / "__init__.py", inside.with_suffix(".py")):
                if self._is_ours(root / path):
                    return path.as_posix(), root / path
        return None

    def inits_above(self, path: str, own: str) -> Iterator[tuple[str, Path]]:
        """The `__init__.py` of every package around a module, but that of the package `own`."""
        for parent in list(PurePosixPath(path).parents)[:-1]:
            found = self.module(".".join(parent.parts)) if parent.as_posix() != own else None
            if found is not None and found[0].endswith("/__init__.py"):
                yield found

    def _is_ours(self, file: Path) -> bool:
        found = file.resolve()
        is_within = self.within is None or found.is_relative_to(self.within)
        return file.is_file() and found.is_relative_to(self.project) and is_within


def project_of(file: Path, default_path: str) -> Path:
    """The folder that a student calls their project: around the file, with something that marks it; else the current
    folder where it holds the file; else the one in which the file lies as deep as the challenge wants it.
    """
    file = file.resolve()
    for folder in file.parents:
        if any((folder / marker).exists() for marker in MARKERS):
            return folder
    if file.is_relative_to(Path.cwd()):
        return Path.cwd()
    return file.parents[min(len(PurePosixPath(default_path).parts), len(file.parents)) - 1]


def _around_package(file: Path, project: Path) -> Path | None:
    """The folder around the outermost package that the file is in, where its own folder says that it is one."""
    around = None
    for folder in file.parents:
        if folder == project or not (folder / "__init__.py").is_file() or not folder.name.isidentifier():
            return around
        around = folder.parent
    return around


def _root_of(file: Path, project: Path, default_path: str) -> Path:
    """The folder from which the file is imported: around its outermost package; where the folders do not say that they
    are packages, the one where it lies as the challenge wants it, else `src` or the project, or the last folder below
    whose name cannot be a package's.
    """
    around = _around_package(file, project)
    if around is not None:
        return around
    usual = PurePosixPath(default_path).parts
    if file.parts[-len(usual) :] == usual and file.parents[len(usual) - 1].is_relative_to(project):
        return file.parents[len(usual) - 1]
    root = project / SOURCES if file.is_relative_to(project / SOURCES) else project
    below = [folder for folder in file.parents if folder != root and folder.is_relative_to(root)]
    return next((folder for folder in below if not folder.name.isidentifier()), root)


def pack(
    file: Path, source: bytes, default_path: str, modules: Collection[str] = (), within: Path | None = None
) -> Packed:
    """Finds every module of the student's that the file (its text is `source`) needs. A file that needs none is sent as
    the challenge's own. `modules` are the grader's libraries. With `within`, nothing outside of that folder is found.

    The `__init__.py` files of packages come along; that of the outermost which the file itself is in only when a name
    is imported from it, or it is imported itself, since it may bring all that the project has.
    """
    home = ImportPath.of(file, default_path, modules, within=within)
    main = home.path_of(file, default_path)
    found: dict[str, bytes] = {main: source}
    waiting = [main]
    while waiting:
        importing = waiting.pop()
        for path, needed in _needed(home, importing, found[importing], own=main.partition("/")[0]):
            if path not in found:
                found[path] = needed.read_bytes()
                waiting.append(path)
    del found[main]
    return Packed(main if found else default_path, dict(sorted(found.items())))


def _needed(home: ImportPath, importing: str, source: bytes, own: str) -> Iterator[tuple[str, Path]]:
    for wanted in _imports(source, ".".join(PurePosixPath(importing).parent.parts)):
        for path, file in _files(home, wanted, own):
            yield path, file
            yield from home.inits_above(path, own)


def _files(home: ImportPath, wanted: Import, own: str) -> Iterator[tuple[str, Path]]:
    inner = [home.module(f"{wanted.base}.{name}") for name in wanted.names]
    yield from (found for found in inner if found is not None)
    if wanted.base == own and inner and None not in inner:
        return  # only modules were asked for, not a name that `__init__.py` defines
    base = home.module(wanted.base)
    if base is not None:
        yield base
    outermost = home.module(wanted.base.partition(".")[0]) if wanted.is_bound else None
    if outermost is not None:
        yield outermost


def _imports(source: bytes, own_package: str) -> Iterator[Import]:
    for node in ast.walk(parsed(source)):
        if isinstance(node, ast.Import):
            yield from (Import(alias.name, is_bound=alias.asname is None) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield Import(_absolute(node, own_package), tuple(alias.name for alias in node.names))


def _absolute(node: ast.ImportFrom, own_package: str) -> str:
    """Empty where it leaves the outermost package."""
    if not node.level:
        return node.module or ""
    parents = own_package.split(".") if own_package else []
    if node.level > len(parents):
        return ""
    kept = parents[: len(parents) - (node.level - 1)]
    return ".".join([*kept, *(node.module or "").split(".")]).strip(".")


def parsed(source: bytes) -> ast.Module:
    """An empty module for what does not parse: the grader says so better than we can."""
    with warnings.catch_warnings(action="ignore"):  # a student's `"\d"` is not our warning
        try:
            return ast.parse(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return ast.Module(body=[], type_ignores=[])
