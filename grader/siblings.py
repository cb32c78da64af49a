"""Which modules of a student's package go along with a file: read from the imports, transitively; nothing is run.
Standard library only.
"""

import ast
import warnings
from collections.abc import Iterator
from pathlib import Path, PurePosixPath


def collect_siblings(main: Path, module_path: str) -> dict[str, bytes]:
    """Module path -> bytes of every module beside `main` that it needs, when `main` stands where `module_path` says.

    The package's own `__init__.py` comes along only when a name is imported from it: many only read their version.
    """
    place = PurePosixPath(module_path)
    top = main.resolve().parents[max(len(place.parts) - 2, 0)]
    root = place.parts[0] if len(place.parts) > 1 else ""
    found: dict[str, bytes] = {}
    waiting = [(place.as_posix(), main.read_bytes())]
    while waiting:
        path, source = waiting.pop()
        for wanted in _needed(path, source, root, top):
            if wanted not in found and wanted != place.as_posix():
                found[wanted] = _on_disk(wanted, root, top).read_bytes()
                waiting.append((wanted, found[wanted]))
    return dict(sorted(found.items()))


def _needed(path: str, source: bytes, root: str, top: Path) -> Iterator[str]:
    """Module paths that exist on disk."""
    for base, names in _imports(path, source):
        inner = [_file_of(f"{base}.{name}".strip("."), root, top) for name in names]
        yield from _with_packages([found for found in inner if found], root, top)
        if base != root or (names and None in inner):
            own = _file_of(base, root, top)
            yield from _with_packages([own] if own else [], root, top)


def _with_packages(paths: list[str], root: str, top: Path) -> Iterator[str]:
    for path in paths:
        yield path
        for parent in PurePosixPath(path).parents:
            init = (parent / "__init__.py").as_posix()
            if parent.as_posix() not in (root, ".") and _on_disk(init, root, top).is_file():
                yield init


def _file_of(module: str, root: str, top: Path) -> str | None:
    parts = module.split(".")
    if not module or (root and parts[0] != root):
        return None
    for candidate in (PurePosixPath(*parts, "__init__.py"), PurePosixPath(*parts).with_suffix(".py")):
        file = _on_disk(candidate.as_posix(), root, top)
        if file.is_file() and file.resolve().is_relative_to(top):
            return candidate.as_posix()
    return None


def _on_disk(path: str, root: str, top: Path) -> Path:
    return top / PurePosixPath(path).relative_to(root or ".")


def _imports(path: str, source: bytes) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Absolute module and the names taken from it."""
    for node in ast.walk(_parse(source)):
        if isinstance(node, ast.Import):
            yield from ((alias.name, ()) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            package = PurePosixPath(path).parts[: -node.level or None] if node.level else ()
            yield ".".join([*package, *filter(None, [node.module])]), tuple(alias.name for alias in node.names)


def _parse(source: bytes) -> ast.Module:
    """An empty module for what does not parse: the grader tells the student why."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a "\d" of the student's is not our warning
        try:
            return ast.parse(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return ast.Module(body=[], type_ignores=[])
