"""The front end as a process of its own, so that its processor time is nobody else's."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import httpx

from app.settings import ApiSettings
from tests.app.redis_process import free_port
from tests.app.school import NO_CERTIFICATES
from tests.patience import wait_until

TICKS_S: Final = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class ApiProcess:
    url: str
    pid: int

    def cpu_s(self) -> float:
        """Seconds that processors have worked for it so far, in all its threads."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS_S

    def peak_bytes(self) -> int:
        """The most memory that it ever held."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        return int(status.partition("VmHWM:")[2].split()[0]) << 10


@contextmanager
def api_process(settings: ApiSettings) -> Iterator[ApiProcess]:
    """`assay api` with these settings, serving."""
    port = free_port()
    given = settings.model_dump(exclude_unset=True) | {"secret_key": settings.secret_key.get_secret_value()}
    others = {name: value for name, value in os.environ.items() if not name.startswith("ASSAY_")}
    process = subprocess.Popen(
        [Path(sys.executable).with_name("assay"), "api", "--port", str(port)],
        env=others | {f"ASSAY_{name.upper()}": str(value) for name, value in given.items()},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    found = ApiProcess(f"http://127.0.0.1:{port}", process.pid)
    try:
        wait_until(lambda: process.poll() is not None or _answers(found.url))
        assert process.poll() is None, "the front end did not start"
        yield found
    finally:
        process.terminate()
        process.wait()


def _answers(url: str) -> bool:
    try:
        return httpx.get(f"{url}/healthz", trust_env=False, verify=NO_CERTIFICATES).is_success
    except httpx.TransportError:
        return False
