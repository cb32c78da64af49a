"""How long the pages take on the server and until they are painted, and how many queries each makes: 500 students,
20,000 submissions.

    python -m benchmarks.pages [--students 500] [--submissions 20000] [--rounds 20] [--sqlite] [--explain 50]

A database is filled with made-up submissions, all to one assignment, which is the worst case; then each page is asked
for over a real socket, one request at a time. `--explain` prints PostgreSQL's plan of every statement that took longer
than so many milliseconds. What is measured is the wall-clock time of a request on the loopback interface, of a server
that has answered each page once; then, in Chromium with an empty cache, the time from the start of a navigation to the
first contentful paint.
"""

import argparse
import shutil
import statistics
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import httpx
from playwright.sync_api import Browser, sync_playwright
from sqlalchemy import Connection, event, insert
from sqlalchemy.engine import Engine

from app.accounts import service as accounts
from app.assignments import service as assignments
from app.assignments.schemas import NewAssignment
from app.challenges.service import Catalogue
from app.courses import service as courses
from app.database import Database, upgrade
from app.identifiers import id_at, new_id
from app.models import (
    Answer,
    Assignment,
    Course,
    DiagnosedMisconception,
    Enrollment,
    GradedPart,
    PartKind,
    Role,
    State,
    StoredReport,
    Submission,
    SubmissionFile,
    User,
)
from app.settings import ApiSettings
from assay import logs
from grader.challenge import DEFAULT_ROOT
from grader.report import ChallengeRef, Environment, Report, SubmissionRef, Verdict
from tests.app.redis_process import RedisProcess
from tests.app.school import serve
from tests.postgresql_process import find_programs, temporary_postgresql
from tests.web.conftest import FLAGS

COURSE, ASSIGNMENT, CHALLENGE = "large", "attention", "mha-rope"
BATCH = 2000
BASE = f"/courses/{COURSE}"
IN_ASSIGNMENT = f"{BASE}/assignments/{ASSIGNMENT}"
PAGES = {
    "course": BASE,
    "submissions": f"{BASE}/submissions",
    "submissions, searched and sorted": f"{BASE}/submissions?search=student-1&verdict=failed&order=score",
    "submissions, the last page": f"{BASE}/submissions?offset=19950",
    "people": f"{BASE}/people",
    "one student": f"{BASE}/people/student-7",
    "exports": f"{BASE}/exports",
    "audit log": f"{BASE}/audit",
    "overview": IN_ASSIGNMENT,
    "understanding": f"{IN_ASSIGNMENT}/understanding",
    "passages": f"{IN_ASSIGNMENT}/understanding/rope-on-v",
    "students": f"{IN_ASSIGNMENT}/students",
    "stuck": f"{IN_ASSIGNMENT}/stuck",
    "questions": f"{IN_ASSIGNMENT}/questions",
    "regrades": f"{IN_ASSIGNMENT}/regrades",
    "settings": f"{IN_ASSIGNMENT}/edit",
    "operations": "/operations",
}
STUDENT = "student-7"
STUDENTS_PAGES = {
    "a student: what is due": "/",
    "a student: the course": BASE,
    "a student: the challenge": f"/challenges/{CHALLENGE}",
}
PAINTS = 5
FIRST_PAINT = """() => new Promise((told) => new PerformanceObserver((seen) => told(
    seen.getEntriesByName("first-contentful-paint")[0].startTime)).observe({ type: "paint", buffered: true }))"""


@dataclass
class Statements:
    """What the database was asked, while a page was made."""

    slow_ms: float
    count: int = 0
    slow: dict[str, Any] = field(default_factory=dict)

    def watch(self) -> None:
        event.listen(Engine, "before_cursor_execute", self._before)
        event.listen(Engine, "after_cursor_execute", self._after)

    def _before(self, connection: Connection, *_: Any) -> None:
        connection.info["started"] = time.perf_counter()

    def _after(self, connection: Connection, _cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        self.count += 1
        if 1000 * (time.perf_counter() - connection.info["started"]) > self.slow_ms:
            self.slow[statement] = parameters


def main() -> None:
    parser = argparse.ArgumentParser(description="How long do the pages take?")
    parser.add_argument("--students", type=int, default=500)
    parser.add_argument("--submissions", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--sqlite", action="store_true", help="instead of PostgreSQL")
    parser.add_argument("--explain", type=float, metavar="MS", help="the plans of statements slower than this")
    wanted = parser.parse_args()
    logs.configure()
    statements = Statements(wanted.explain or float("inf"))
    with database_url(wanted.sqlite) as url, tempfile.TemporaryDirectory() as folder:
        upgrade(url)
        database = Database(url)
        tokens = fill(database, wanted.students, wanted.submissions)
        if not wanted.sqlite:
            with database.engine.connect() as connection:
                connection.exec_driver_sql("ANALYZE")
                connection.commit()
        redis = RedisProcess(Path(folder))
        redis.start()
        statements.watch()
        try:
            with serve(ApiSettings(database_url=url, redis_url=redis.url, secret_key="s" * 40)) as address:
                measure(address, tokens, statements, wanted.rounds)
            explain(database, statements)
        finally:
            redis.kill()
            database.close()


def measure(address: str, tokens: Mapping[str, str], statements: Statements, rounds: int) -> None:
    print(
        f"| {'page':32} | median ms | p95 ms | queries | KiB | first paint ms |\n|{'-' * 34}|---:|---:|---:|---:|---:|"
    )
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        for who, pages in (("operator", PAGES), (STUDENT, STUDENTS_PAGES)):
            with httpx.Client(
                base_url=address, headers={"Accept": "text/html"}, timeout=60, trust_env=False
            ) as browser:
                sign_in(browser, tokens[who])
                for name, path in (pages | results(browser) if who == STUDENT else pages).items():
                    line = measured(browser, path, statements, rounds)
                    print(f"| {name:32} | {line} | {painted(chromium, browser, path):14.0f} |")
        chromium.close()


def measured(browser: httpx.Client, path: str, statements: Statements, rounds: int) -> str:
    browser.get(path).raise_for_status()
    statements.count, took, size = 0, [], 0
    for _ in range(rounds):
        started = time.perf_counter()
        size = len(browser.get(path).content)
        took.append(1000 * (time.perf_counter() - started))
    p95 = statistics.quantiles(took, n=20)[-1]
    return f"{statistics.median(took):9.0f} | {p95:6.0f} | {statements.count // rounds:7} | {size / 1024:3.0f}"


def painted(chromium: Browser, browser: httpx.Client, path: str) -> float:
    """The median, each time in a browser that has never seen a page of ours."""
    took: list[float] = []
    for _ in range(PAINTS):
        context = chromium.new_context(base_url=str(browser.base_url))
        cookies = [
            {"name": name, "value": value, "url": str(browser.base_url)} for name, value in browser.cookies.items()
        ]
        context.add_cookies(cookies)  # type: ignore[arg-type]  # dicts are what it takes
        page = context.new_page()
        page.goto(path)
        took.append(float(page.evaluate(FIRST_PAINT)))
        context.close()
    return statistics.median(took)


def results(browser: httpx.Client) -> dict[str, str]:
    """The student's last submission."""
    last = browser.get("/api/v1/submissions").json()["items"][0]["id"]
    return {"a student: a result": f"/submissions/{last}"}


def sign_in(browser: httpx.Client, token: str) -> None:
    page = browser.get("/sign-in").text
    csrf = page.partition('name="csrf" value="')[2].partition('"')[0]
    answer = browser.post("/sign-in", data={"csrf": csrf, "token": token})
    assert answer.status_code == 303, answer.text


def explain(database: Database, statements: Statements) -> None:
    for statement, parameters in statements.slow.items():
        with database.engine.connect() as connection:
            print(f"\n{statement}\n")
            for row in connection.exec_driver_sql(f"EXPLAIN (ANALYZE, BUFFERS) {statement}", parameters):
                print(f"    {row[0]}")


@contextmanager
def database_url(is_sqlite: bool) -> Iterator[str]:
    if is_sqlite:
        with tempfile.TemporaryDirectory() as folder:
            yield f"sqlite:///{folder}/assay.db"
        return
    programs = find_programs()
    assert programs is not None, "PostgreSQL is missing: scripts/postgresql installs it"
    with temporary_postgresql(programs) as process:
        with process.connect() as connection:
            connection.execute("CREATE DATABASE pages")
        yield process.url("pages")


def fill(database: Database, students: int, submissions: int) -> dict[str, str]:
    """The tokens of somebody who may see everything, and of one student."""
    random, catalogue = Random(7), Catalogue(DEFAULT_ROOT)
    console = accounts.console()
    courses.create(database, console, COURSE, "A large course")
    due_at = datetime.now(UTC) - timedelta(days=1)
    wanted = NewAssignment(slug=ASSIGNMENT, title="Attention", challenge=CHALLENGE, due_at=due_at)
    assignments.create(database, catalogue, console, COURSE, wanted)
    accounts.create_user(database, "operator", Role.OPERATOR, None)
    with database.write() as session:
        course = session.query(Course).filter_by(slug=COURSE).one()
        assignment = session.query(Assignment).filter_by(slug=ASSIGNMENT).one()
    users = [
        {"id": new_id(), "name": f"student-{number}", "full_name": f"Student {number}", "role": Role.STUDENT}
        for number in range(students)
    ]
    write(database, User, users)
    roles = [{"user_id": user["id"], "course_id": course.id, "role": Role.STUDENT} for user in users]
    write(database, Enrollment, roles)
    manifest = catalogue.get(CHALLENGE).challenge.manifest
    rows = list(submissions_of(random, users, assignment, submissions, due_at))
    write(database, Submission, rows)
    write(database, SubmissionFile, [file_of(row) for row in rows])
    write(database, StoredReport, [report_of(row) for row in rows])
    write(database, GradedPart, parts_of(random, rows, list(manifest.families), list(manifest.rules)))
    write(database, DiagnosedMisconception, diagnoses_of(random, rows))
    questions = [view.view.id for view in catalogue.get(CHALLENGE).questions.variants("anybody")]
    write(database, Answer, answers_of(random, rows, questions))
    return {name: accounts.issue_token(database, name, "benchmark") for name in ("operator", STUDENT)}


def write(database: Database, table: type, rows: Sequence[dict[str, Any]]) -> None:
    for start in range(0, len(rows), BATCH):
        with database.write() as session:
            session.execute(insert(table), rows[start : start + BATCH])


def submissions_of(
    random: Random, users: Sequence[dict[str, Any]], assignment: Assignment, count: int, due_at: datetime
) -> Iterator[dict[str, Any]]:
    moments = sorted(due_at - timedelta(days=14 * random.random() ** 2 - 1) for _ in range(count))
    attempts = dict.fromkeys((user["id"] for user in users), 0)
    for at in moments:
        user = random.choice(users)["id"]
        attempts[user] += 1
        score = min(100.0, random.gauss(40 + 3 * attempts[user], 20))
        yield {
            "id": id_at(at),
            "user_id": user,
            "assignment_id": assignment.id,
            "challenge": CHALLENGE,
            "challenge_version": "v1",
            "attempt": attempts[user],
            "filename": "layers.py",
            "main": "layers.py",
            "sha256": f"{random.getrandbits(256):064x}",
            "seed": 1,
            "state": State.GRADED,
            "created_at": at,
            "waiting_since": at,
            "queued_at": at,
            "started_at": at,
            "graded_at": at + timedelta(seconds=1),
            "worker": f"judge-{random.randrange(4)}",
            "verdict": Verdict.PASSED if score >= 99 else Verdict.FAILED,
            "score": round(max(0.0, score), 2),
            "max_score": 100.0,
            "requeues": int(random.random() < 0.002),
        }


def file_of(row: dict[str, Any]) -> dict[str, Any]:
    source = (DEFAULT_ROOT / CHALLENGE / "starter" / "layers.py").read_bytes()
    return {"submission_id": row["id"], "path": row["main"], "content": source}


def report_of(row: dict[str, Any]) -> dict[str, Any]:
    report = Report(
        challenge=ChallengeRef(slug=CHALLENGE, version="v1"),
        submission=SubmissionRef(filename="layers.py", sha256=row["sha256"]),
        verdict=row["verdict"],
        score=row["score"],
        max_score=100.0,
        summary="Made up.",
        environment=Environment(torch="2", device="cpu", sandbox="zygote (full)"),
    )
    return {"submission_id": row["id"], "body": report.to_json(), "recorded_at": row["graded_at"]}


def parts_of(random: Random, rows: Sequence[dict[str, Any]], families: list[str], rules: list[str]) -> Any:
    names = [(PartKind.FAMILY, name, 8) for name in families] + [(PartKind.RULE, name, 1) for name in rules]
    return [
        {
            "submission_id": row["id"],
            "kind": kind,
            "name": name,
            "passed": total if 100 * random.random() < row["score"] else random.randrange(total),
            "total": total,
        }
        for row in rows
        for kind, name, total in names
    ]


def diagnoses_of(random: Random, rows: Sequence[dict[str, Any]]) -> Any:
    mistakes = (DEFAULT_ROOT / CHALLENGE / "misconceptions").glob("*.py")
    names = [*sorted(path.stem for path in mistakes)[:40], "rope-on-v"]
    return [
        {"submission_id": row["id"], "misconception": name, "title": name.replace("-", " "), "line": 12}
        for row in rows
        if row["verdict"] is Verdict.FAILED
        for name in random.sample(names, random.choice((0, 1, 1, 2)))
    ]


def answers_of(random: Random, rows: Sequence[dict[str, Any]], questions: list[str]) -> Any:
    last = {row["user_id"]: row for row in rows}
    return [
        {
            "submission_id": row["id"],
            "question": question,
            "given": "x",
            "mark": {"status": "correct", "score": float(random.random() < 0.6), "max_score": 1.0, "feedback": ""},
            "given_at": row["created_at"],
        }
        for row in last.values()
        for question in questions
    ]


if __name__ == "__main__":
    main()
