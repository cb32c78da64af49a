"""A deadline: many students upload in one minute, and everybody waits. `make load`.

python -m benchmarks.load [--students 500] [--uploads 2000] [--within 60] [--uploads-only]

Starts `assay up` in a temporary folder, with real students and real grading. Arrivals come faster and faster, as before
a deadline. Prints how long the uploads took, how long students waited, and what was refused; exit code 1 when one of
the bars does not hold:

* every upload is accepted, or refused with a sentence and Retry-After;
* 99 of 100 uploads are answered within 200 ms;
* every accepted submission gets its report;
* nobody waits for a first result while somebody else has more turns than the fair order gives.
"""

import argparse
import asyncio
import random
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from http import HTTPStatus
from pathlib import Path

import aiohttp

from app.accounts import service as accounts
from app.database import Database
from app.models import State, Submission
from assay.capacity import quantile
from benchmarks.service import service, wait_until_graded

ROOT = Path(__file__).resolve().parents[1]
FILES = ("correct.py", "rope_on_v.py")
POST_P99_S = 0.2
# What judges hold already, and what has been given to the queue ahead of them, is not called back for a newcomer.
TURNS_AHEAD = 2
PATIENCE_S = 1800.0


@dataclass
class Uploads:
    """What the uploads came to."""

    seconds: list[float] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)
    accepted: list[str] = field(default_factory=list)
    impolite: list[str] = field(default_factory=list)


def arrivals(number: int, within_s: float, draw: random.Random) -> list[float]:
    """Seconds from the beginning, more and more towards the end: the rate grows linearly."""
    return sorted(within_s * draw.random() ** 0.5 for _ in range(number))


async def upload_all(address: str, tokens: list[str], moments: list[float], draw: random.Random) -> Uploads:
    """One request for each moment, by a student drawn for it, whether or not those before are answered."""
    uploads, sources = Uploads(), [(ROOT / "examples" / name).read_bytes() for name in FILES]
    patience, connector = aiohttp.ClientTimeout(total=60), aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(f"{address}/api/v1/", timeout=patience, connector=connector) as client:
        await client.get("challenges")  # the first connection is made before the clock runs
        started = time.perf_counter()

        async def upload(number: int, moment: float) -> None:
            await asyncio.sleep(max(0.0, started + moment - time.perf_counter()))
            headers = {"Authorization": f"Bearer {draw.choice(tokens)}"}
            source = sources[number % len(sources)] + f"\n# {number}\n".encode()
            form = aiohttp.FormData()
            form.add_field("file", source, filename="layers.py", content_type="text/x-python")
            sent = time.perf_counter()
            async with client.post("submissions", headers=headers, data=form) as answer:
                told = await answer.json(content_type=None)
            uploads.seconds.append(time.perf_counter() - sent)
            uploads.statuses[answer.status] += 1
            if answer.status == HTTPStatus.ACCEPTED:
                uploads.accepted.append(told["id"])
            elif "Retry-After" not in answer.headers or "detail" not in told:
                uploads.impolite.append(str(told)[:200])

        await asyncio.gather(*(upload(number, moment) for number, moment in enumerate(moments)))
    return uploads


def unfair(rows: list[Submission]) -> list[str]:
    """Students who waited for their first result while somebody else had more turns than one and what was ahead."""
    graded = [row for row in rows if row.job.started_at is not None]
    firsts: dict[str, Submission] = {}
    for row in sorted(graded, key=lambda row: row.created_at):
        firsts.setdefault(row.user_id, row)
    found = []
    for student, first in firsts.items():
        turns = Counter(
            row.user_id for row in graded if row.user_id != student and _between(row, first.created_at, first)
        )
        most = max(turns.values(), default=0)
        if most > 1 + TURNS_AHEAD:
            found.append(f"{student} waited while somebody else had {most} turns")
    return found


def _between(row: Submission, moment: datetime, first: Submission) -> bool:
    began, first_began = row.job.started_at, first.job.started_at
    return began is not None and first_began is not None and moment < began < first_began


def describe(uploads: Uploads, rows: list[Submission]) -> None:
    told = ", ".join(f"{count} with {status}" for status, count in sorted(uploads.statuses.items()))
    print(f"uploads: {len(uploads.seconds)} ({told})")
    print("| | p50 | p95 | p99 | slowest |\n|---|---|---|---|---|")
    _row("POST /submissions", uploads.seconds)
    graded = [row for row in rows if row.graded_at is not None]
    waits = [(row.graded_at - row.created_at).total_seconds() for row in graded if row.graded_at]
    _row("upload to report", waits)
    firsts: dict[str, float] = {}
    for row, wait_s in sorted(zip(graded, waits, strict=True), key=lambda pair: pair[0].created_at):
        firsts.setdefault(row.user_id, wait_s)
    _row("a student's first upload to its report", list(firsts.values()))
    ended = max(row.graded_at for row in graded if row.graded_at)
    begun = min(row.created_at for row in graded)
    print(f"graded: {len(graded)} in {(ended - begun).total_seconds():.0f} s")


def _row(what: str, seconds: list[float]) -> None:
    p50, p95, p99 = (quantile(seconds, part) for part in (0.5, 0.95, 0.99))
    print(f"| {what} | {p50:.3f} s | {p95:.3f} s | {p99:.3f} s | {max(seconds):.3f} s |")


def failures(uploads: Uploads, rows: list[Submission]) -> list[str]:
    p99 = quantile(uploads.seconds, 0.99)
    lost = [row.id for row in rows if row.state is not State.GRADED]
    return [
        *(f"refused without a way on: {text}" for text in uploads.impolite[:3]),
        *([f"99 of 100 uploads are answered within {p99:.3f} s"] if p99 > POST_P99_S else []),
        *([f"{len(lost)} accepted submissions have no report"] if lost or len(rows) < len(uploads.accepted) else []),
        *unfair(rows)[:3],
    ]


def enroll(database: Database, number: int) -> list[str]:
    """So many students, and a token for each."""
    tokens = []
    for student in range(number):
        accounts.create_user(database, f"student-{student}")
        tokens.append(accounts.issue_token(database, f"student-{student}"))
    return tokens


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--students", type=int, default=500)
    parser.add_argument("--uploads", type=int, default=2000)
    parser.add_argument("--within", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--uploads-only", action="store_true", help="do not wait for the reports")
    asked = parser.parse_args()
    draw = random.Random(asked.seed)
    with service("--workers", "2") as up:
        database = Database(up.database_url)
        tokens = enroll(database, asked.students)
        moments = arrivals(asked.uploads, asked.within, draw)
        uploads = asyncio.run(upload_all(up.address, tokens, moments, draw))
        if asked.uploads_only:
            _row("POST /submissions", uploads.seconds)
            return 0
        rows = wait_until_graded(database, set(uploads.accepted), PATIENCE_S)
        database.close()
    describe(uploads, rows)
    broken = failures(uploads, rows)
    for line in broken:
        print(f"NOT HELD: {line}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
