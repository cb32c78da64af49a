"""How long the gradebook takes: 2,000 students, 30 assignments, 120,000 submissions, 60,000 answers.

    python -m benchmarks.gradebook [--students 2000] [--assignments 30] [--rounds 20] [--sqlite] [--explain 50]

As `benchmarks.pages`, over a real socket, one request at a time. The first request that sorts or filters makes the
summaries and is told apart; "after a submission" asks again when one assignment has changed.
"""

import argparse
import gc
import statistics
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import httpx
from sqlalchemy import select, update

from app.accounts import service as accounts
from app.assignments import service as assignments
from app.assignments.schemas import NewAssignment
from app.challenges.service import Catalogue
from app.courses import creation
from app.courses.schemas import NewCourse
from app.database import Database, upgrade
from app.identifiers import id_at, new_id
from app.models import Answer, Assignment, Course, Enrollment, Role, State, Submission, TermsException, User
from app.settings import ApiSettings
from assay import logs
from benchmarks.large_class import CHALLENGE, COURSE, write
from benchmarks.pages import Statements, database_url, explain, sign_in
from grader.challenge import DEFAULT_ROOT
from grader.report import Verdict
from tests.app.redis_process import running_redis
from tests.app.school import serve

PAGE = f"/courses/{COURSE}/gradebook"
PAGES = {
    "by name": PAGE,
    "the last page": f"{PAGE}?offset=1950",
    "searched, one section": f"{PAGE}?search=9&section=Section+3",
    "by total": f"{PAGE}?sort=total&direction=down",
    "by one assignment": f"{PAGE}?sort=a-7",
    "awaiting review": f"{PAGE}?state=awaiting_review",
    "nothing submitted, by total": f"{PAGE}?state=not_submitted&assignment=a-7&sort=total",
    "one student's work": f"/courses/{COURSE}/assignments/a-7/students/student-7",
}
ASKING = 10  # assignments with points for questions
ANSWERS = 3


def main() -> None:
    parser = argparse.ArgumentParser(description="How long does the gradebook take?")
    parser.add_argument("--students", type=int, default=2000)
    parser.add_argument("--assignments", type=int, default=30)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--sqlite", action="store_true", help="instead of PostgreSQL")
    parser.add_argument("--explain", type=float, metavar="MS", help="the plans of statements slower than this")
    wanted = parser.parse_args()
    logs.configure()
    statements = Statements(wanted.explain or float("inf"))
    with (
        database_url(wanted.sqlite) as url,
        tempfile.TemporaryDirectory() as folder,
        running_redis(Path(folder)) as redis,
    ):
        upgrade(url)
        database = Database(url)
        token = fill(database, wanted.students, wanted.assignments)
        with database.engine.connect() as connection:
            connection.exec_driver_sql("ANALYZE")
            connection.commit()
        statements.watch()
        try:
            with serve(ApiSettings(database_url=url, redis_url=redis.url, secret_key="s" * 40)) as address:
                gc.collect()
                gc.freeze()  # as `assay api` does
                measure(address, database, token, statements, wanted.rounds)
            explain(database, statements)
        finally:
            database.close()


def measure(address: str, database: Database, token: str, statements: Statements, rounds: int) -> None:
    print("| gradebook | first ms | median ms | p95 ms | queries | KiB |\n|---|---:|---:|---:|---:|---:|")
    with httpx.Client(base_url=address, headers={"Accept": "text/html"}, timeout=120, trust_env=False) as browser:
        sign_in(browser, token)
        for name, path in PAGES.items():
            print(f"| {name} | {_measured(browser, path, statements, rounds)} |")
        took = []
        for number in range(rounds):
            change_one(database, number)
            took.append(_ask(browser, PAGES["by total"]))
        print(f"| by total, after a submission | | {statistics.median(took):.0f} | {_p95(took):.0f} | | |")


def _measured(browser: httpx.Client, path: str, statements: Statements, rounds: int) -> str:
    first = _ask(browser, path)
    statements.count = 0
    took = [_ask(browser, path) for _ in range(rounds)]
    size = len(browser.get(path).content) / 1024
    queries = statements.count // (rounds + 1)
    return f"{first:.0f} | {statistics.median(took):.0f} | {_p95(took):.0f} | {queries} | {size:.0f}"


def _ask(browser: httpx.Client, path: str) -> float:
    started = time.perf_counter()
    browser.get(path).raise_for_status()
    return 1000 * (time.perf_counter() - started)


def _p95(took: list[float]) -> float:
    return statistics.quantiles(took, n=20)[-1]


def change_one(database: Database, number: int) -> None:
    """As if somebody's submission to an assignment had just been graded better."""
    with database.write() as session:
        slug = f"a-{number % 30}"
        one = select(Submission.id).join(Assignment).where(Assignment.slug == slug).limit(1).scalar_subquery()
        better = {"score": float(number), "graded_at": datetime.now(UTC)}
        session.execute(update(Submission).where(Submission.id == one).values(better))


def fill(database: Database, students: int, count: int) -> str:
    random, catalogue = Random(7), Catalogue(DEFAULT_ROOT)
    console = accounts.console()
    creation.create(database, console, NewCourse(slug=COURSE, title="A large course"))
    start = datetime.now(UTC) - timedelta(days=7 * count)
    for number in range(count):
        wanted = NewAssignment(
            slug=f"a-{number}", title=f"Assignment {number}", challenge=CHALLENGE, points=20,
            question_points=10 if number < ASKING else 0, due_at=start + timedelta(days=7 * number),
            late_percent_per_day=10, grace_minutes=15,
        )  # fmt: skip
        assignments.create(database, catalogue, console, COURSE, wanted)
    accounts.create_user(database, "operator", Role.OPERATOR, None)
    with database.write() as session:
        course = session.scalars(select(Course)).one()
        course.drop_lowest = 2
        asked = list(session.scalars(select(Assignment).order_by(Assignment.due_at)))
    users = [
        {"id": new_id(), "name": f"student-{number}", "full_name": f"Student {number}", "role": Role.STUDENT}
        for number in range(students)
    ]
    write(database, User, users)
    enrolled = {"course_id": course.id, "role": Role.STUDENT}
    write(
        database,
        Enrollment,
        [enrolled | {"user_id": each["id"], "section": f"Section {place % 8}"} for place, each in enumerate(users)],
    )
    rows = list(_submissions(random, users, asked))
    write(database, Submission, rows)
    questions = [view.view.id for view in catalogue.get(CHALLENGE).questions.variants("anybody")][:ANSWERS]
    write(database, Answer, list(_answers(random, rows, {each.id for each in asked[:ASKING]}, questions)))
    given = {"reason": "Ill", "given_by": "operator", "extra_attempts": 0}
    write(
        database,
        TermsException,
        [
            given | {"assignment_id": each.id, "user_id": user["id"], "due_at": each.due_at + timedelta(days=3)}
            for each in asked
            for user in random.sample(users, min(20, students))
            if each.due_at
        ],
    )
    return accounts.issue_token(database, "operator", "benchmark")


def _submissions(random: Random, users: list[dict[str, Any]], asked: list[Assignment]) -> Iterator[dict[str, Any]]:
    attempts = dict.fromkeys((user["id"] for user in users), 0)
    for assignment in asked:
        assert assignment.due_at
        for user in users:
            for _ in range(random.choice((0, 1, 2, 2, 3, 4))):
                attempts[user["id"]] += 1
                at = assignment.due_at - timedelta(days=6 * random.random() - 1)
                yield {
                    "id": id_at(at), "user_id": user["id"], "assignment_id": assignment.id,
                    "course_id": assignment.course_id, "challenge": CHALLENGE, "challenge_version": "v1",
                    "attempt": attempts[user["id"]], "filename": "layers.py", "main": "layers.py",
                    "sha256": f"{random.getrandbits(256):064x}", "seed": 1, "state": State.GRADED, "created_at": at,
                    "waiting_since": at, "graded_at": at, "verdict": Verdict.FAILED,
                    "score": round(100 * random.random(), 2), "max_score": 100.0,
                }  # fmt: skip


def _answers(
    random: Random, rows: list[dict[str, Any]], asking: set[str], questions: list[str]
) -> Iterator[dict[str, Any]]:
    last = {(row["user_id"], row["assignment_id"]): row for row in rows if row["assignment_id"] in asking}
    for row in last.values():
        for question in questions:
            status = "correct" if random.random() < 0.99 else "pending"
            mark = {"status": status, "score": float(status == "correct"), "max_score": 1.0, "feedback": ""}
            yield {
                "submission_id": row["id"], "question": question, "given": "x", "mark": mark,
                "given_at": row["created_at"],
            }  # fmt: skip


if __name__ == "__main__":
    main()
