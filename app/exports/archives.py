"""A zip that unpacks alike everywhere: regular files below one folder, whatever people and their files are called."""

import io
import re
import unicodedata
import zipfile
from collections.abc import Sequence
from typing import Final

from app.accounts.names import name_key

NAME_BYTES_MAX: Final = 200
_FORBIDDEN: Final = re.compile(r'[/\\<>:"|?*]')  # on one system or another
_DEVICES: Final = frozenset(
    {"con", "prn", "aux", "nul", "clock$", "conin$", "conout$"}
    | {f"{port}{number}" for port in ("com", "lpt") for number in "0123456789¹²³"}
)


class Archive:
    """A zip that is being written. Names of folders and files are given as they are, and made unique and harmless."""

    def __init__(self) -> None:
        self._packed = io.BytesIO()
        self._zip = zipfile.ZipFile(self._packed, "w", zipfile.ZIP_DEFLATED)
        self._folders: dict[tuple[str, str], str] = {}
        self._taken: set[str] = set()

    def add(self, path: Sequence[str], content: str | bytes) -> None:
        """Adds a file. `path` is the folders that it is in, then its name."""
        folder = ""
        for name in path[:-1]:
            if (folder, name) not in self._folders:
                self._folders[folder, name] = self._free(folder, name)
            folder = self._folders[folder, name]
        self._zip.writestr(self._free(folder, path[-1]), content)

    def close(self) -> bytes:
        """Returns the finished zip; nothing can be added after."""
        self._zip.close()
        return self._packed.getvalue()

    def _free(self, folder: str, name: str) -> str:
        """The full path. Systems that know no capitals must not lay two files into one."""
        plain, number = plain_name(name), 1
        path = wanted = f"{folder}/{plain}" if folder else plain
        while name_key(path) in self._taken:
            number += 1
            path = f"{wanted} ({number})"
        self._taken.add(name_key(path))
        return path


def plain_name(name: str) -> str:
    """Returns a harmless name for a folder or file: no path, no device, not too long, nothing invisible."""
    shown = "".join(each if each.isprintable() else "_" for each in unicodedata.normalize("NFC", name))
    text = _FORBIDDEN.sub("_", shown).encode("utf-8", "replace")[:NAME_BYTES_MAX].decode("utf-8", "ignore").strip(" ")
    if not text or text[0] == ".":
        text = f"_{text[1:]}"
    if text[-1] in ". ":
        text = f"{text[:-1]}_"
    is_device = text.partition(".")[0].strip(" ").casefold() in _DEVICES
    return f"_{text}" if is_device else text
