"""The whole service on one machine: starts the roles in order, waits until all of them work, keeps them, stops them."""

import ssl
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import httpx

from assay import redis_server
from assay.errors import CannotStart
from assay.redis_accounts import API
from assay.roles import Deployment
from assay.supervisor import Supervisor
from grader.messages import JUDGES

START_PATIENCE_S = 600.0  # a cold disk reads torch slowly, and on a busy machine all of it takes long
GIVE_UP_AFTER = 3  # deaths in a row of one process before the service has ever been ready
LOG_LINES = 12
NO_CERTIFICATES: Final = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # reading all of them for each question takes longer


class Stopped(Exception):
    """Somebody asked us to stop before the service was ready."""


@dataclass(frozen=True)
class LocalService:
    """Raises CannotStart with the end of the log of whichever role does not come up."""

    deployment: Deployment
    supervisor: Supervisor
    address: str

    def start(self) -> None:
        """Starts the roles in order, and waits until each of them works."""
        deployment, supervisor, began = self.deployment, self.supervisor, time.time()
        supervisor.start(deployment.redis())
        # The slow ones next: they import torch while the rest goes on.
        supervisor.start(deployment.runner())
        self._until("redis", lambda: redis_server.answers(deployment.redis_urls[API]), every_s=0.02)
        supervisor.start(deployment.worker())
        supervisor.start(deployment.recorder())
        supervisor.start(deployment.api())
        supervisor.start(deployment.verifier())
        self._until("api", self._api_is_ready)
        self._until("runner", deployment.runner_socket.exists)
        # Those of an earlier service that was killed have their place there for a while.
        self._until("worker", lambda: self._warm_judges(began) >= deployment.workers)

    def _until(self, name: str, is_ready: Callable[[], bool], every_s: float = 0.1) -> None:
        for _ in range(int(START_PATIENCE_S / every_s)):
            if is_ready():
                return
            if self.supervisor.wait(every_s):
                raise Stopped
            for role in self.supervisor.pids():
                if self.supervisor.failures(role) >= GIVE_UP_AFTER:
                    raise self._failed(role, "does not start")
        raise self._failed(name, f"was not ready after {START_PATIENCE_S:.0f} s")

    def _failed(self, role: str, what: str) -> CannotStart:
        log = self.deployment.data.logs / f"{role}.log"
        return CannotStart(f"The {role} {what}. The end of its log, {log}:\n{_tail(log)}")

    def _api_is_ready(self) -> bool:
        try:
            asked = httpx.get(f"{self.address}/readyz", timeout=2.0, trust_env=False, verify=NO_CERTIFICATES)
        except httpx.TransportError:
            return False
        return asked.status_code == httpx.codes.OK

    def _warm_judges(self, since: float) -> int:
        return redis_server.count_since(self.deployment.redis_urls[API], JUDGES, since)


def _tail(log: Path) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()[-LOG_LINES:] if log.exists() else []
    return "\n".join(f"  {line}" for line in lines) or "  (empty)"
