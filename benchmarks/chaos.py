"""Everything that can fail does, while students submit. `make chaos`.

python -m benchmarks.chaos [--faults 100] [--every 4] [--postgresql] [--seed 1]

Starts `assay up` in a small file system of its own (as root; else the disk is not filled, and it says so), with SQLite
or a real PostgreSQL. Uploads go on all the time, each with its Idempotency-Key, and are sent again when nobody answers.
At the end every upload that was accepted must have exactly one report, and that report must be the one that a fresh
grading with the same seed gives; exit code 1 when not.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import torch
from sqlalchemy import select

from app.accounts import service as accounts
from app.database import Database
from app.models import State, Submission, SubmissionFile
from benchmarks.faults import faults
from benchmarks.service import Service, service, wait_until_graded
from grader.challenge import load_challenges
from grader.comparison.efficiency import FAMILY
from grader.grade import grade
from grader.guest.submission import Submission as Sent
from grader.report import Report
from tests.postgresql_process import PostgresqlProcess, find_programs
from worker.private_runner import private_runner

ROOT = Path(__file__).resolve().parents[1]
FILES = ("correct.py", "rope_on_v.py")
STUDENTS = 20
CALM_S = 180.0
DISK = "256m"
FINAL_REFUSALS = frozenset({400, 401, 403, 404, 409, 413, 415, 422})


@dataclass
class Students:
    """Upload without pause, each until somebody answers, as `engine` does."""

    service: Service
    tokens: list[str]
    draw: random.Random
    every_s: float
    accepted: set[str] = field(default_factory=set)
    refused: list[str] = field(default_factory=list)
    stop: threading.Event = field(default_factory=threading.Event)

    def run(self) -> None:
        number = 0
        while not self.stop.wait(self.every_s):
            number += 1
            self._upload(number)

    def _upload(self, number: int) -> None:
        key = {
            "Idempotency-Key": uuid.uuid4().hex,
            "Authorization": f"Bearer {self.tokens[number % len(self.tokens)]}",
        }
        source = (ROOT / "examples" / FILES[number % len(FILES)]).read_bytes() + f"\n# {number}\n".encode()
        address = f"{self.service.address}/api/v1/submissions"
        while not self.stop.is_set():
            try:
                answer = httpx.post(
                    address, headers=key, files={"file": ("layers.py", source)}, timeout=30, trust_env=False
                )
            except httpx.TransportError:
                time.sleep(0.3)
                continue
            if answer.is_success:
                self.accepted.add(answer.json()["id"])
                return
            if answer.status_code in FINAL_REFUSALS:
                self.refused.append(f"{answer.status_code}: {answer.text[:200]}")
                return
            time.sleep(float(answer.headers.get("Retry-After", 0.5)))


@contextmanager
def small_disk() -> Iterator[Path | None]:
    """A file system with nothing else on it; None for whoever may not mount one."""
    if os.getuid() != 0:
        print("NOT RUN: the disk is not filled; only root can mount a small one")
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="assay-disk-") as name:
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK}", "assay-chaos", name], check=True)
        try:
            yield Path(name)
        finally:
            subprocess.run(["umount", "--lazy", name], check=True)


@contextmanager
def own_postgresql() -> Iterator[PostgresqlProcess]:
    programs = find_programs()
    if programs is None:
        sys.exit("PostgreSQL is not installed: scripts/postgresql does that")
    process = PostgresqlProcess(programs)
    process.start()
    try:
        process.connect().execute("CREATE DATABASE chaos")
        yield process
    finally:
        process.remove()


def strike(up: Service, students: Students, asked: argparse.Namespace, **places: object) -> Counter[str]:
    """So many faults, at random moments; a line for each, so that whoever waits sees that it goes on."""
    draw = random.Random(asked.seed)
    kinds = faults(up, draw, **places)  # type: ignore[arg-type]
    struck: Counter[str] = Counter()
    for number in range(asked.faults):
        time.sleep(draw.expovariate(1 / asked.every))
        fault = draw.choices(kinds, [kind.weight for kind in kinds])[0]
        print(f"{number + 1:4} {len(students.accepted):5} accepted   {fault.name}", flush=True)
        fault.strike()
        struck[fault.name] += 1
    return struck


def wrong(database: Database, accepted: set[str], rows: list[Submission]) -> Iterator[str]:
    """What is not as it must be."""
    for missing in accepted - {row.id for row in rows}:
        yield f"{missing} was accepted and is gone"
    challenges = load_challenges()
    with private_runner(sessions=2) as runner, database.read() as session:
        for row in rows:
            if row.state is not State.GRADED or row.report is None:
                yield f"{row.id} is {row.state.value}, requeued {row.job.tries} times: {row.job.fault}"
                continue
            files = session.scalars(select(SubmissionFile).where(SubmissionFile.submission_id == row.id))
            sent = Sent(main=row.main, files={file.path: file.content for file in files})
            fresh = grade(challenges[row.challenge], sent, row.seed, runner, is_timed=False)
            fresh_parts = lasting(fresh)
            for part, recorded in lasting(Report.model_validate_json(row.report.body)).items():
                if recorded != fresh_parts[part]:
                    yield f"{row.id}: {part}\n  recorded: {recorded}\n  fresh:    {fresh_parts[part]}"


def lasting(report: Report) -> dict[str, object]:
    """What must be the same whenever it is graded: everything that is not timed, and the summary counts what is."""
    return {
        "verdict": report.verdict,
        "tests": [test for test in report.tests if test.group != FAMILY],
        "diagnoses": report.diagnoses,
        "structure": report.structure,
        "guidance": report.guidance,
        "remarks": report.remarks,
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--faults", type=int, default=100)
    parser.add_argument("--every", type=float, default=4.0, help="seconds between two faults, on average")
    parser.add_argument("--uploads-every", type=float, default=1.0, help="seconds between two uploads")
    parser.add_argument("--postgresql", action="store_true", help="instead of SQLite")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    torch.set_num_threads(1)  # as judges have it: sums come out bit for bit the same
    with ExitStack() as stack:
        disk = stack.enter_context(small_disk())
        postgresql = stack.enter_context(own_postgresql()) if asked.postgresql else None
        options = ["--database-url", postgresql.url("chaos")] if postgresql else []
        up = stack.enter_context(service(*options, folder=disk))
        database = Database(postgresql.url("chaos") if postgresql else up.database_url)
        stack.callback(database.close)
        names = [f"student-{number}" for number in range(STUDENTS)]
        for name in names:
            accounts.create_user(database, name)
        tokens = [accounts.issue_token(database, name) for name in names]
        students = Students(up, tokens, random.Random(asked.seed), asked.uploads_every)
        uploading = threading.Thread(target=students.run)
        uploading.start()
        struck = strike(up, students, asked, postgresql=postgresql, disk=disk)
        students.stop.set()
        uploading.join()
        rows = wait_until_graded(database, students.accepted, CALM_S)
        found = [*wrong(database, students.accepted, rows), *students.refused]
    for name, count in sorted(struck.items()):
        print(f"{count:4} {name}")
    print(f"{len(students.accepted)} accepted, {sum(struck.values())} faults, {len(found)} wrong")
    for line in found[:20]:
        print(f"WRONG: {line}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
