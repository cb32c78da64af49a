"""Whether an exercise was verified as it is: a digest of all that its proof depends on."""

import hashlib
import re
from importlib.metadata import version
from pathlib import Path
from typing import Final

from grader.challenge import MANIFEST_NAME

PROVERS: Final = ("assay", "torch")
EXTENDS: Final = re.compile(r"""^[ \t]*["']?extends["']?[ \t]*=[ \t]*["']([\w-]+)["']""", re.MULTILINE)


def digest_of(folder: Path) -> str:
    """Returns the SHA-256 of every file of the exercise in `folder` and of the one that it extends, with their names,
    and of the versions of Assay and torch. The manifest may be anything, so it is not parsed.
    """
    digest = hashlib.sha256("".join(f"{name} {version(name)}\0" for name in PROVERS).encode())
    extended = EXTENDS.search((folder / MANIFEST_NAME).read_text(encoding="utf-8", errors="replace"))
    for each in [folder, folder.parent / extended[1]] if extended else [folder]:
        for path in sorted(path for path in each.rglob("*") if path.is_file()):
            name = path.relative_to(folder.parent).as_posix()
            digest.update(f"{name}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()
