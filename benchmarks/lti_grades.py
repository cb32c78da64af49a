"""What it costs to compare a course's points with what its learning platform has: 2,000 students, 30 assignments.

    python -m benchmarks.lti_grades [--students 2000] [--assignments 30] [--rounds 10] [--sqlite]

The courier does so every minute for each connected course. Nothing is sent: no platform is asked.
"""

import argparse
import statistics
import time
from collections.abc import Callable

from sqlalchemy import select

from app.challenges.service import Catalogue
from app.database import Database, upgrade
from app.lti.grades import Comparison
from app.models import Course, Identity, LtiContext, LtiPlatform, Role, User
from assay import logs
from benchmarks.gradebook import change_one, fill
from benchmarks.large_class import write
from benchmarks.pages import Statements, database_url
from grader.challenge import DEFAULT_ROOT

ISSUER = "https://lms.example"


def main() -> None:
    parser = argparse.ArgumentParser(description="What does it cost to compare points with a platform's?")
    parser.add_argument("--students", type=int, default=2000)
    parser.add_argument("--assignments", type=int, default=30)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--sqlite", action="store_true", help="instead of PostgreSQL")
    wanted = parser.parse_args()
    logs.configure()
    statements = Statements(float("inf"))
    with database_url(wanted.sqlite) as url:
        upgrade(url)
        database = Database(url)
        fill(database, wanted.students, wanted.assignments)
        connect(database)
        statements.watch()
        measure(database, statements, wanted.rounds)
        database.close()


def connect(database: Database) -> None:
    """A platform from which every student has come once."""
    addresses = {f"{what}_url": f"{ISSUER}/{what}" for what in ("authorization", "token", "keyset")}
    with database.write() as session:
        platform = LtiPlatform(name="LMS", issuer=ISSUER, client_id="1", **addresses)
        session.add(platform)
        session.flush()
        course = session.scalars(select(Course)).one()
        session.add(
            LtiContext(
                platform_id=platform.id,
                deployment_id="1",
                context_id="1",
                course_id=course.id,
                line_items_url=f"{ISSUER}/columns",
            )
        )
        students = session.scalars(select(User.id).where(User.role == Role.STUDENT)).all()
    write(database, Identity, [{"issuer": ISSUER, "subject": each, "user_id": each} for each in students])


def measure(database: Database, statements: Statements, rounds: int) -> None:
    comparison = Comparison(database, Catalogue(DEFAULT_ROOT))
    print("| comparing | changed | ms | processor ms | queries |\n|---|---:|---:|---:|---:|")
    cases: dict[str, tuple[int, Callable[[int], None]]] = {
        "the first time": (1, lambda _: None),
        "nothing has changed": (rounds, lambda _: None),
        "one submission was graded": (rounds, lambda number: change_one(database, number)),
    }
    for name, (times, before) in cases.items():
        took, busy, changed = [], [], 0
        queries = 0
        for number in range(times):
            before(number)
            statements.count = 0
            started, cpu = time.perf_counter(), time.process_time()
            changed += comparison.note_changes(is_due=False)
            took.append(1000 * (time.perf_counter() - started))
            busy.append(1000 * (time.process_time() - cpu))
            queries = statements.count
        print(f"| {name} | {changed} | {statistics.median(took):.0f} | {statistics.median(busy):.0f} | {queries} |")


if __name__ == "__main__":
    main()
