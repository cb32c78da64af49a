"""The exercises in a commit: found and checked by names, modes and sizes before one file is written. Files are written
by us, one by one: nothing of the repository decides how (no checkout, filters, attributes, links).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from grader.challenge import MANIFEST_NAME
from grader.repository_addresses import RepositoryError
from worker.repositories.git import git

SLUG_CHARACTERS: Final = 64  # with its namespace
FILES_MAX: Final = 5_000
FILE_BYTES: Final = 4 << 20
TOTAL_BYTES: Final = 64 << 20
PATH_BYTES: Final = 200  # every file system takes a name as long
LISTING_BYTES: Final = 16 << 20  # some hundred thousand files
LISTING_S: Final = 30.0
LINK, SUBMODULE, PLAIN = "120000", "160000", ("100644", "100755")


@dataclass(frozen=True)
class Item:
    """An entry of a commit's tree."""

    mode: str
    name: str  # its object
    size: int
    path: PurePosixPath


def extract(repository: Path, commit: str, target: Path) -> None:
    """Writes the folders of all exercises of the commit into `target`. Raises RepositoryError."""
    items = _chosen(list(_listed(_tree(repository, commit))))
    contents = _contents(git(repository, "cat-file", "--batch", stdin=b"".join(f"{i.name}\n".encode() for i in items)))
    for item, content in zip(items, contents, strict=True):
        path = target / item.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def _tree(repository: Path, commit: str) -> bytes:
    """A few objects can describe billions of files."""
    try:
        words = ("ls-tree", "-r", "-z", "-l", "--full-tree", commit)
        return git(repository, *words, timeout_s=LISTING_S, most_bytes=LISTING_BYTES)
    except RepositoryError as error:
        raise RepositoryError(f"The repository has too many files, or cannot be read: {error}") from error


def _listed(told: bytes) -> Iterator[Item]:
    for entry in filter(None, told.split(b"\0")):
        facts, _, raw = entry.partition(b"\t")
        mode, _kind, name, size = facts.decode("ascii").split()
        try:
            path = raw.decode("utf-8")
        except UnicodeDecodeError as error:
            raise RepositoryError(f"The file name {raw[:100]!r} is not UTF-8: rename it.") from error
        yield Item(mode, name, int(size) if size.isdigit() else 0, PurePosixPath(path))


def _chosen(items: Sequence[Item]) -> list[Item]:
    """The files of the exercises, by paths from the folder that holds them. Raises RepositoryError."""
    folders = {item.path.parent for item in items if item.path.name == MANIFEST_NAME}
    tops = {folder.parent for folder in folders}
    if not folders or PurePosixPath() in folders:
        raise RepositoryError(
            f"The repository holds no exercise: each is a folder with a {MANIFEST_NAME}, beside its neighbours."
        )
    if len(tops) > 1:
        told = ", ".join(sorted(str(top) for top in tops))
        raise RepositoryError(f"Exercises lie in several places ({told[:200]}): put all of them into one folder.")
    (top,) = tops
    depth = len(top.parts) + 1
    exercises = {folder.parts for folder in folders}
    chosen = [item for item in items if item.path.parts[:depth] in exercises and len(item.path.parts) > depth]
    for item in chosen:
        _check(item)
    total = sum(item.size for item in chosen)
    if len(chosen) > FILES_MAX or total > TOTAL_BYTES:
        raise RepositoryError(
            f"The exercises have {len(chosen)} files of {total >> 20} MiB; at most {FILES_MAX} files and "
            f"{TOTAL_BYTES >> 20} MiB are served."
        )
    return [Item(item.mode, item.name, item.size, item.path.relative_to(top)) for item in chosen]


def _check(item: Item) -> None:
    path = str(item.path)
    if not path.isprintable() or "\\" in path or len(path.encode()) > PATH_BYTES or ".." in item.path.parts:
        raise RepositoryError(f"The file name {path[:PATH_BYTES]!r} cannot be used: rename it.")
    if item.mode == LINK:
        raise RepositoryError(f"{path} is a symbolic link: put the file itself there.")
    if item.mode == SUBMODULE:
        raise RepositoryError(f"{path} is a submodule, which is not fetched: put its files into the repository.")
    if item.mode not in PLAIN:
        raise RepositoryError(f"{path} is not a plain file.")
    if item.size > FILE_BYTES:
        raise RepositoryError(f"{path} has {item.size} bytes; a file of an exercise has at most {FILE_BYTES}.")


def _contents(told: bytes) -> Iterator[bytes]:
    """What `git cat-file --batch` prints: a line with the size, the bytes, a newline."""
    place = 0
    while place < len(told):
        end = told.index(b"\n", place)
        size = int(told[place:end].split()[2])
        yield told[end + 1 : end + 1 + size]
        place = end + 1 + size + 1
