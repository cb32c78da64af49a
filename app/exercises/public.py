"""What students may see of a repository's exercises, as one file: all that the front end ever has of them."""

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from grader.challenge import MANIFEST_NAME

FILES: Final = (MANIFEST_NAME, "spec.md", "questions.toml")
FOLDERS: Final = ("starter", "sandbox", "hunt")
PACKED_BYTES: Final = 8 << 20  # what a message can carry; the front end unpacks no more than
UNPACKED_BYTES: Final = 64 << 20
MOMENT: Final = (1980, 1, 1, 0, 0, 0)  # of every file: the same exercises make the same bytes


def pack(root: Path) -> bytes:
    """Packs what students may see of the exercises in `root`: named parts, and nothing else."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in _public_files(root):
            archive.writestr(zipfile.ZipInfo(path.relative_to(root).as_posix(), MOMENT), path.read_bytes())
    return packed.getvalue()


def is_bounded(packed: bytes) -> bool:
    """Whether the front end can keep it: a ZIP file of a bounded size, packed and unpacked."""
    try:
        with zipfile.ZipFile(io.BytesIO(packed)) as archive:
            total = sum(item.file_size for item in archive.infolist())
    except (zipfile.BadZipFile, ValueError):
        return False
    return len(packed) <= PACKED_BYTES and total <= UNPACKED_BYTES


def unpack(packed: bytes, target: Path) -> None:
    """Writes what `pack` has packed."""
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        archive.extractall(target)


def _public_files(root: Path) -> Iterator[Path]:
    for manifest in sorted(root.glob(f"*/{MANIFEST_NAME}")):
        yield from (path for name in FILES if (path := manifest.parent / name).is_file())
        for name in FOLDERS:
            yield from sorted(path for path in (manifest.parent / name).rglob("*") if path.is_file())
