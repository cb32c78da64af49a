"""The processes of `assay up`: what each one runs, and exactly what it is told. Who needs no secret gets none."""

import signal
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from app.settings import ApiSettings, RecorderSettings
from assay.datadir import DataDir, Secrets
from assay.redis_accounts import API, RECORDER, VERIFIER, WORKER
from assay.supervisor import Role
from worker.runner_settings import ISOLATION_VARIABLE

# Whoever uploads is answered at once, also while all processors grade.
GRADING_STANDS_BACK = 5
VERIFYING_STANDS_BACK = 8  # and no student waits behind a proof of minutes
MAIL, SENDER, PLATFORMS = "ASSAY_SMTP_", "ASSAY_MAIL_FROM", "ASSAY_LTI_"
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


def mail_settings(environment: Mapping[str, str]) -> dict[str, str]:
    """Picks what the environment says about a mail server."""
    return {name: value for name, value in environment.items() if name.startswith(MAIL) or name == SENDER}


def platform_settings(environment: Mapping[str, str]) -> dict[str, str]:
    """Picks what the environment says about learning platforms."""
    return {name: value for name, value in environment.items() if name.startswith(PLATFORMS)}


@dataclass(frozen=True)
class Deployment:
    """One machine's service, as decided at start."""

    data: DataDir
    secrets: Secrets = field(repr=False)
    redis_urls: Mapping[str, str] = field(repr=False)  # by role: each with its own account
    redis_command: tuple[str, ...]
    runner_socket: Path
    listen_fd: int
    lock_fd: int
    workers: int
    challenges_root: Path
    require_isolation: str
    public_url: str = ""  # where people reach it, if elsewhere than at the address that it listens on
    mail: Mapping[str, str] = field(default_factory=dict, repr=False)  # the recorder sends it
    platforms: Mapping[str, str] = field(default_factory=dict)  # the front end sends them scores

    def check(self) -> None:
        """Raises SettingsError where a role of `app` would end at once with what it is told."""
        ApiSettings.check(self.api().environment)
        RecorderSettings.check(self.recorder().environment)

    def redis(self) -> Role:
        """Holds queues, progress and leases."""
        # It holds the lock too: a new `up` is refused until the Redis of one that was killed is gone.
        return self._role("redis", self.redis_command, orphan_signal=signal.SIGTERM, keep_open=(self.lock_fd,))

    def runner(self) -> Role:
        """Runs students' code: no secret, no address of anything."""
        told = {"ASSAY_RUNNER_SOCKET": str(self.runner_socket), ISOLATION_VARIABLE: self.require_isolation}
        return replace(self._assay("runner", (), told), niceness=GRADING_STANDS_BACK)

    def worker(self) -> Role:
        """Judges: knows the queue, not the database."""
        told = {
            "ASSAY_WORKER_REDIS_URL": self.redis_urls[WORKER],
            "ASSAY_WORKER_RUNNER_SOCKET": str(self.runner_socket),
            "ASSAY_WORKER_CONCURRENCY": str(self.workers),
            "ASSAY_WORKER_CHALLENGES_ROOT": str(self.challenges_root),
            "ASSAY_WORKER_EXERCISES_FOLDER": str(self.data.exercises),
        }
        return replace(self._assay("worker", (), told), niceness=GRADING_STANDS_BACK)

    def verifier(self) -> Role:
        """Verifies exercise repositories: knows the queue, not the database. A proof that is cut off is begun anew."""
        told = {
            "ASSAY_VERIFIER_REDIS_URL": self.redis_urls[VERIFIER],
            "ASSAY_VERIFIER_SNAPSHOTS_FOLDER": str(self.data.snapshots),
        }
        return replace(self._assay("verifier", (), told), niceness=VERIFYING_STANDS_BACK, stop_timeout_s=2.0)

    def recorder(self) -> Role:
        """Writes reports, and is the only one that holds the key for receipts."""
        told = {
            **self._of_app(RECORDER),
            **self.mail,
            "ASSAY_RECEIPT_KEY_FILE": str(self.data.receipt_key),
            "ASSAY_PUBLIC_URL": self.public_url,
        }
        return self._assay("recorder", (), told)

    def api(self) -> Role:
        """Serves REST and the web: the only role that listens to others."""
        told = {
            **self._of_app(API),
            **self.platforms,
            "ASSAY_SECRET_KEY": self.secrets.secret_key,
            "ASSAY_CHALLENGES_ROOT": str(self.challenges_root),
            "ASSAY_LOCAL_EXERCISES": "true",  # whoever runs this also owns the machine
            "ASSAY_PUBLIC_URL": self.public_url,
            "ASSAY_SMTP_HOST": self.mail.get("ASSAY_SMTP_HOST", ""),
        }
        return self._assay("api", ("--listen-fd", str(self.listen_fd)), told, keep_open=(self.listen_fd,))

    def _of_app(self, role: str) -> dict[str, str]:
        return {"ASSAY_DATABASE_URL": self.data.database_url, "ASSAY_REDIS_URL": self.redis_urls[role]}

    def _assay(
        self, name: str, options: tuple[str, ...], told: Mapping[str, str], keep_open: tuple[int, ...] = ()
    ) -> Role:
        # -P: a folder named `app` or `worker` where `assay up` was typed must not be taken for ours
        return self._role(name, (sys.executable, "-P", "-m", "assay", name, *options), told, keep_open=keep_open)

    def _role(
        self,
        name: str,
        command: tuple[str, ...],
        told: Mapping[str, str] | None = None,
        *,
        orphan_signal: signal.Signals = signal.SIGKILL,
        keep_open: tuple[int, ...] = (),
    ) -> Role:
        environment = {"PATH": PATH, "LANG": "C.UTF-8", "PYTHONUNBUFFERED": "1", **(told or {})}
        log = self.data.logs / f"{name}.log"
        return Role(name, command, environment, log, orphan_signal=orphan_signal, keep_open=keep_open)
