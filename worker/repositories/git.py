"""git as a program, in an environment of its own: no hooks, prompts, submodules, filters or configuration of anybody,
three protocols, and bounds on time and size. What it is given was typed by people.
"""

import os
import pwd
import signal
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Final

from grader.repository_addresses import RepositoryError, checked_ref, checked_url

PROTOCOLS: Final = "https:ssh:file"
TIMEOUT_S: Final = 120.0
PACK_BYTES: Final = 256 << 20  # the largest file that git may write: a pack is one
REASON_CHARACTERS: Final = 300
COMPLAINTS_BYTES: Final = 1 << 16
NOT_FOUND: Final = 127
_SSH: Final = "ssh -oBatchMode=yes -oStrictHostKeyChecking=yes -oConnectTimeout=15 -oClearAllForwardings=yes"
_CONFIG: Final = {
    "core.hooksPath": "/dev/null",
    "core.fsmonitor": "false",
    "core.symlinks": "false",
    "credential.helper": "",
    "fetch.fsckObjects": "true",
    "fetch.recurseSubmodules": "false",
    "fetch.unpackLimit": "1",
    "gc.auto": "0",
    "http.followRedirects": "false",
    "http.lowSpeedLimit": "1000",
    "http.lowSpeedTime": "30",
    "submodule.recurse": "false",
}
_OPTIONS: Final = tuple(word for name, value in _CONFIG.items() for word in ("-c", f"{name}={value}"))
# No file that git writes, what it prints included, grows beyond that; dash counts blocks of 512 bytes.
_BOUNDED: Final = ("/bin/sh", "-c", """trap '' XFSZ && ulimit -f "$0" && exec "$@" """)


def git(
    repository: Path,
    *words: str,
    stdin: bytes = b"",
    timeout_s: float = TIMEOUT_S,
    most_bytes: int = PACK_BYTES,
    told: Mapping[str, str] | None = None,
) -> bytes:
    """Runs git on a repository and returns what it prints. Raises RepositoryError with its last words."""
    command = [*_BOUNDED, str(most_bytes // 512), "git", f"--git-dir={repository}", *_OPTIONS, *words]
    with TemporaryFile() as given, TemporaryFile() as printed, TemporaryFile() as complaints:
        given.write(stdin)
        given.seek(0)
        status = _run(command, _environment() | dict(told or {}), timeout_s, given, printed, complaints)
        complaints.seek(0)
        if status != 0:
            raise RepositoryError(_reason(complaints.read(COMPLAINTS_BYTES), status))
        printed.seek(0)
        return printed.read()


def _run(command: list[str], environment: dict[str, str], timeout_s: float, *files: IO[bytes]) -> int:
    given, printed, complaints = files
    try:
        process = subprocess.Popen(
            command,
            env=environment,
            cwd="/",
            stdin=given,
            stdout=printed,
            stderr=complaints,
            start_new_session=True,
        )
    except OSError as error:
        raise RepositoryError(f"git cannot be started: {error.strerror}.") from error
    try:
        return process.wait(timeout_s)
    except subprocess.TimeoutExpired as error:
        raise RepositoryError(f"git did not end within {timeout_s:.0f} s.") from error
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # git starts others
        process.wait()


def new_repository(folder: Path) -> None:
    """Makes an empty one, without templates. Raises RepositoryError."""
    git(folder, "init", "--quiet", "--bare", "--template=", str(folder))


def fetch(repository: Path, url: str, ref: str) -> str:
    """Fetches what `ref` names, without its history, and returns its commit. Raises RepositoryError."""
    words = ("fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules", "--end-of-options")
    try:
        git(repository, *words, checked_url(url), checked_ref(ref))
    except RepositoryError as error:
        raise RepositoryError(f"{ref} of {url} cannot be fetched: {error}") from error
    return git(repository, "rev-parse", "--verify", "FETCH_HEAD^{commit}").decode().strip()


def _environment() -> dict[str, str]:
    """ssh finds its keys by the account, and https its passwords in ~/.netrc; nothing else of anybody is read."""
    try:
        home = pwd.getpwuid(os.getuid()).pw_dir
    except KeyError:
        home = "/nonexistent"
    passed_on = {name: os.environ[name] for name in ("SSH_AUTH_SOCK", "https_proxy") if name in os.environ}
    return {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "HOME": home,
        "LANG": "C",
        "GIT_ALLOW_PROTOCOL": PROTOCOLS,
        "GIT_ASKPASS": "/bin/false",
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_SSH_COMMAND": _SSH,
        "GIT_TERMINAL_PROMPT": "0",
        "SSH_ASKPASS": "/bin/false",
        **passed_on,
    }


def _reason(complaints: bytes, status: int) -> str:
    text = complaints.decode("utf-8", "replace")
    if status == NOT_FOUND:
        return "this machine has no git: install it where exercises are added and judged."
    if "File too large" in text:
        return f"it is larger than {PACK_BYTES >> 20} MiB. Keep data and models out of a repository of exercises."
    lines = [line.removeprefix("fatal: ").removeprefix("error: ") for line in text.splitlines() if line.strip()]
    printable = "".join(char if char.isprintable() else " " for char in "; ".join(lines[:2]))
    return f"git says: {printable[:REASON_CHARACTERS].rstrip('. ') or f'status {status}'}."
