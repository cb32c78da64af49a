"""Things that go wrong in a running service, done to it on purpose. Each is over when its function returns."""

import os
import shutil
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random

from benchmarks.service import Service
from tests.postgresql_process import PostgresqlProcess

REDIS = "-server 127.0.0.1:"  # as Redis and Valkey name their processes
REDIS_AWAY_S = 20.0
DISK_FULL_S = 5.0
CHUNK_BYTES = 1 << 20


@dataclass(frozen=True)
class Fault:
    """One kind of trouble, and how often it is drawn beside the others."""

    name: str
    strike: Callable[[], None]
    weight: int = 4


def faults(service: Service, draw: Random, postgresql: PostgresqlProcess | None, disk: Path | None) -> list[Fault]:
    """What can be done to this service. `disk` is its file system when nothing else lies on it."""
    found = [
        *(
            Fault(f"kill -9: {role}", _killer(service, draw, role))
            for role in ("assay worker", "assay recorder", "assay api", "worker.runner", "worker.sandbox.zygote")
        ),
        Fault("kill -9: Redis", _killer(service, draw, REDIS), weight=2),
        Fault(f"Redis stands still for {REDIS_AWAY_S:.0f} s", lambda: _stand_still(service), weight=1),
        Fault("Redis loses everything", lambda: _wipe(service, draw), weight=2),
    ]
    if postgresql is not None:
        found.append(Fault("PostgreSQL restarts", lambda: _restart(postgresql), weight=3))
    if disk is not None:
        found.append(Fault(f"the disk is full for {DISK_FULL_S:.0f} s", lambda: _fill(disk), weight=1))
    return found


def processes(service: Service, wanted: str) -> list[int]:
    """Of the service, those whose command line has these words."""
    return [pid for pid in _family(service.pid) if wanted in _command(pid)]


def _killer(service: Service, draw: Random, wanted: str) -> Callable[[], None]:
    def kill() -> None:
        with suppress(ProcessLookupError, IndexError):  # it died by itself, or has not come back yet
            os.kill(draw.choice(processes(service, wanted)), signal.SIGKILL)

    return kill


def _stand_still(service: Service) -> None:
    for pid in processes(service, REDIS):
        os.kill(pid, signal.SIGSTOP)
        time.sleep(REDIS_AWAY_S)
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)


def _wipe(service: Service, draw: Random) -> None:
    """No account may empty it: so what it keeps on the disk goes, and then the process that has it in memory."""
    for kept in (service.data / "redis").glob("appendonly*"):
        shutil.rmtree(kept) if kept.is_dir() else kept.unlink(missing_ok=True)
    _killer(service, draw, REDIS)()


def _restart(postgresql: PostgresqlProcess) -> None:
    postgresql.stop()
    time.sleep(1)
    postgresql.start()


def _fill(disk: Path) -> None:
    ballast = disk / "ballast"
    try:
        with ballast.open("wb", buffering=0) as file, suppress(OSError):
            while shutil.disk_usage(disk).free:
                file.write(bytes(min(CHUNK_BYTES, shutil.disk_usage(disk).free)))
        time.sleep(DISK_FULL_S)
    finally:
        ballast.unlink(missing_ok=True)


def _family(pid: int) -> Iterator[int]:
    yield pid
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in (task / "children").read_text().split():
                yield from _family(int(child))


def _command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""
