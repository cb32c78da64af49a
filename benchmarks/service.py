"""`assay up` in a temporary folder, for measurements and for chaos."""

import json
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import select
from sqlalchemy.orm import joinedload

from app.database import Database
from app.models import Submission


@dataclass(frozen=True)
class Service:
    """One that runs."""

    address: str
    data: Path
    student_token: str
    pid: int

    @property
    def database_url(self) -> str:
        return f"sqlite:///{self.data / 'assay.db'}"


@contextmanager
def service(*options: str, folder: Path | None = None) -> Iterator[Service]:
    """Until the block ends; then it is stopped as Ctrl-C would, and its folder is removed."""
    with tempfile.TemporaryDirectory(prefix="assay-bench-", dir=folder) as name:
        data = Path(name) / "data"
        command = [str(Path(sys.executable).parent / "assay"), "up", "--data-dir", str(data), "--port", "0", *options]
        up = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        try:
            while not (data / "address.json").exists():
                if up.poll() is not None:
                    sys.exit("`assay up` did not come up")
                time.sleep(0.05)
            address = json.loads((data / "address.json").read_text())["address"]
            token = json.loads((data / "tokens.json").read_text())["student"]
            yield Service(address, data, token, up.pid)
        finally:
            up.send_signal(signal.SIGTERM)
            up.wait(60)


def wait_until_graded(database: Database, accepted: Collection[str], patience_s: float) -> list[Submission]:
    """The rows of what was accepted, with reports, once nothing waits any more or nothing was graded for so long."""
    deadline, left = time.monotonic() + patience_s, len(accepted)
    query = (
        select(Submission).options(joinedload(Submission.report), joinedload(Submission.job)).order_by(Submission.id)
    )
    while True:
        with database.read() as session:
            rows = [row for row in session.scalars(query) if row.id in accepted]
        before, left = left, sum(not row.state.is_final for row in rows)
        if left < before:
            deadline = time.monotonic() + patience_s
        if not left or time.monotonic() > deadline:
            return rows
        time.sleep(2)
