"""What one submission costs each process, and what a long queue costs: the figures that docs/scaling.md reckons with.

python -m benchmarks.footprint [--uploads 200] [--queue 1000 5000 20000]

Starts `assay up` with two judges, sends uploads by many students at once, and reads the processor time of each role,
the growth of the database's files and of Redis; once more with everybody watching the progress, for what a second of an
event stream costs. Then puts many waiting rows into a database and asks who is next.
"""

import argparse
import asyncio
import random
import tempfile
import time
from datetime import timedelta
from pathlib import Path

import httpx
from sqlalchemy import insert

from app.database import Database, upgrade
from app.models import Role, Submission, User, now
from app.queue.waiting import queued_ids
from benchmarks.growth import held_mib
from benchmarks.load import enroll, upload_all
from benchmarks.processor import processor_s
from benchmarks.service import Service, service, wait_until_graded

ROOT = Path(__file__).resolve().parents[1]
ROLES = ("api", "recorder", "worker", "verifier", "runner", "redis")
STUDENTS = 50
WARM_UP = 10
PATIENCE_S = 600.0


def roles_of(up: int) -> dict[str, int]:
    """The processes that `assay up` started, by role."""
    found = {}
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_bytes().split(b"\0")
            parent = int((process / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        if parent == up:
            role = next((role for role in ROLES if role.encode() in words), "redis")
            found[role] = int(process.name)
    return found


def bytes_of(up: Service) -> int:
    return sum(file.stat().st_size for file in up.data.glob("assay.db*"))


def cost_of_submissions(number: int) -> None:
    draw = random.Random(1)
    with service("--workers", "2") as up:
        database = Database(up.database_url)
        tokens = enroll(database, STUDENTS)
        _grade(up, database, tokens, WARM_UP, draw)
        pids = roles_of(up.pid)
        before = {role: processor_s(pid) for role, pid in pids.items()}
        stored, redis = bytes_of(up), held_mib(pids["redis"])
        begun = time.perf_counter()
        _grade(up, database, tokens, number, draw)
        took = time.perf_counter() - begun
        print(f"{number} submissions at once: {number / took:.2f} a second\n\n| | each |\n|---|---|")
        for role, pid in pids.items():
            print(f"| processor of {role} | {1000 * (processor_s(pid) - before[role]) / number:.0f} ms |")
        print(f"| database | {(bytes_of(up) - stored) / number / 1024:.0f} KiB |")
        print(f"| Redis | {1024 * (held_mib(pids['redis']) - redis) / number:.0f} KiB |")
        for role, pid in pids.items():
            print(f"| memory of {role} | {sum(map(held_mib, _family(pid))):.0f} MiB in all |")
        cost_of_watching(up, pids["api"], tokens, number)
        database.close()


def _grade(up: Service, database: Database, tokens: list[str], number: int, draw: random.Random) -> None:
    uploads = asyncio.run(upload_all(up.address, tokens, [0.0] * number, draw))
    wait_until_graded(database, uploads.accepted, PATIENCE_S)


def cost_of_watching(up: Service, api: int, tokens: list[str], number: int) -> None:
    """Of a stream for each second that it is open; what the uploads cost is told above."""
    before, held = processor_s(api), held_mib(api)
    seconds = asyncio.run(_watch(up.address, tokens, number))
    each = 1000 * (processor_s(api) - before) / sum(seconds)
    print(f"| a watched second, processor of api, uploads included | {each:.2f} ms |")
    print(f"| a stream, memory of api | {1024 * (held_mib(api) - held) / number:.0f} KiB |")


async def _watch(address: str, tokens: list[str], number: int) -> list[float]:
    """Everybody uploads and watches until the verdict: for how many seconds each stream was open."""
    source = (ROOT / "examples" / "correct.py").read_bytes()
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=0)
    async with httpx.AsyncClient(base_url=f"{address}/api/v1", timeout=None, trust_env=False, limits=limits) as client:

        async def upload_and_watch(turn: int) -> float:
            headers = {"Authorization": f"Bearer {tokens[turn % len(tokens)]}"}
            files = {"file": ("layers.py", source + f"\n# watched {turn}\n".encode())}
            accepted = (await client.post("/submissions", headers=headers, files=files)).json()
            begun = time.perf_counter()
            async with client.stream("GET", f"/submissions/{accepted['id']}/events", headers=headers) as stream:
                async for _ in stream.aiter_lines():
                    pass
            return time.perf_counter() - begun

        return list(await asyncio.gather(*(upload_and_watch(turn) for turn in range(number))))


def _family(pid: int) -> list[int]:
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *(each for child in children for each in _family(int(child)))]


def cost_of_a_queue(lengths: list[int]) -> None:
    print("\n| waiting | who is next |\n|---|---|")
    for length in lengths:
        with tempfile.TemporaryDirectory() as folder:
            url = f"sqlite:///{folder}/assay.db"
            upgrade(url)
            database = Database(url)
            _fill(database, length)
            begun = time.perf_counter()
            with database.read() as session:
                assert len(queued_ids(session, now())) == length
            print(f"| {length:,} | {1000 * (time.perf_counter() - begun):.0f} ms |")
            database.close()


def _fill(database: Database, length: int) -> None:
    users = [{"id": f"u{number}", "name": f"student-{number}", "role": Role.STUDENT} for number in range(length)]
    since = now() - timedelta(seconds=length)
    rows = [
        {
            **{
                "id": f"s{number}",
                "user_id": f"u{number}",
                "challenge": "mha-rope",
                "challenge_version": "1",
                "attempt": 1,
            },
            **{"filename": "layers.py", "main": "layers.py", "sha256": "0" * 64, "seed": number},
            "waiting_since": since + timedelta(seconds=number),
        }
        for number in range(length)
    ]
    with database.write() as session:
        session.execute(insert(User), users)
        session.execute(insert(Submission), rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--uploads", type=int, default=200)
    parser.add_argument("--queue", type=int, nargs="*", default=[1000, 5000, 20000])
    asked = parser.parse_args()
    cost_of_submissions(asked.uploads)
    cost_of_a_queue(asked.queue)


if __name__ == "__main__":
    main()
