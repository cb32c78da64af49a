"""What students may see of a repository's exercises, as one file: all that the front end ever has of them."""

import io
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from grader.challenge import HUNT, MANIFEST_NAME
from grader.repository_addresses import RepositoryError

FILES: Final = (MANIFEST_NAME, "spec.md", "questions.toml")
FOLDERS: Final = ("starter", "sandbox", HUNT)
PACKED_BYTES: Final = 8 << 20  # what a message can carry; the front end unpacks no more than
UNPACKED_BYTES: Final = 64 << 20
READ_BYTES: Final = 128 << 10  # of a file that the front end reads itself, which takes long for each byte
COMPRESSIONS: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # what `pack` uses; each has errors of its own
FILES_MAX: Final = 5_000
NAME_CHARACTERS: Final = 200  # of a path, which may name a folder with every other one
MOMENT: Final = (1980, 1, 1, 0, 0, 0)  # of every file: the same exercises make the same bytes


def pack(root: Path) -> bytes:
    """Packs what students may see of the exercises in `root`: named parts, and nothing else. Raises RepositoryError."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in _public_files(root):
            _refuse_long_text(path, root)
            archive.writestr(zipfile.ZipInfo(path.relative_to(root).as_posix(), MOMENT), path.read_bytes())
    return packed.getvalue()


def _refuse_long_text(path: Path, root: Path) -> None:
    name = path.relative_to(root)
    is_read = len(name.parts) == 2 or name.parts[1] == HUNT
    if is_read and path.stat().st_size > READ_BYTES:
        raise RepositoryError(
            f"{name} has {path.stat().st_size} bytes; a text of an exercise, its questions and each file of its hunt "
            f"may have {READ_BYTES}. Make it shorter, or split the exercise."
        )


def is_usable(packed: bytes) -> bool:
    """Whether front ends can unpack it: tried, and bounded before that, since every one of them will."""
    if len(packed) > PACKED_BYTES:
        return False
    try:
        with zipfile.ZipFile(io.BytesIO(packed)) as archive:
            items = archive.infolist()
        if len(items) > FILES_MAX or sum(item.file_size for item in items) > UNPACKED_BYTES:
            return False
        if any(item.compress_type not in COMPRESSIONS or len(item.filename) > NAME_CHARACTERS for item in items):
            return False
        with tempfile.TemporaryDirectory(prefix="assay-exercises-") as scratch:
            unpack(packed, Path(scratch))
    except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, RuntimeError, OSError):  # what zipfile has for it
        return False
    return True


def unpack(packed: bytes, target: Path) -> None:
    """Writes what `pack` has packed."""
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        archive.extractall(target)


def _public_files(root: Path) -> Iterator[Path]:
    for manifest in sorted(root.glob(f"*/{MANIFEST_NAME}")):
        yield from (path for name in FILES if (path := manifest.parent / name).is_file())
        for name in FOLDERS:
            yield from sorted(path for path in (manifest.parent / name).rglob("*") if path.is_file())
