"""Which data files of a project its modules name: they are not sent, and what opens them stops in the sandbox.

Read from the source: nothing is run, and no file is opened.
"""

import ast
from collections.abc import Collection, Iterator
from pathlib import Path, PurePosixPath
from typing import Final

from engine.siblings import ImportPath, parsed
from engine.upload import Upload

LONGEST: Final = 100  # characters of a path as it stands in code


def data_files(upload: Upload, default_path: str, modules: Collection[str] = ()) -> list[str]:
    """Returns the names of the data files that the code reads, in its order. `modules` are the grader's libraries."""
    home = ImportPath.of(upload.path, default_path, modules)
    main = home.path_of(upload.path, default_path)
    found = [
        name
        for path, source in {main: upload.source, **upload.siblings}.items()
        for name in _names(source)
        if any(_is_there(folder, name, home.project) for folder in _folders(home, path))
    ]
    return sorted(set(found))


def _names(source: bytes) -> Iterator[str]:
    """Texts that could be a file's name."""
    nodes = ast.walk(parsed(source))
    texts = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    for text in texts:
        suffix = PurePosixPath(text).suffix
        if len(text) <= LONGEST and text.isprintable() and suffix not in ("", ".", ".py"):
            yield text


def _folders(home: ImportPath, module: str) -> Iterator[Path]:
    """Where a path may begin: where the program is started, or beside the module."""
    yield from (Path.cwd(), home.project)
    yield from (root / PurePosixPath(module).parent for root in home.roots)


def _is_there(folder: Path, name: str, project: Path) -> bool:
    file = folder / name
    return file.is_file() and file.resolve().is_relative_to(project)
