"""How long the pages take on the server and until they are painted, and how many queries each makes: 500 students,
20,000 submissions.

    python -m benchmarks.pages [--students 500] [--submissions 20000] [--assignments 1] [--rounds 20] [--sqlite]
        [--explain 50]

A database is filled with made-up submissions, all to one assignment unless told otherwise, which is the worst case for
its pages; the course's own page has more to tell of more assignments, all of them open. Then each page is asked
for over a real socket, one request at a time. `--explain` prints PostgreSQL's plan of every statement that took longer
than so many milliseconds. What is measured is the wall-clock time of a request on the loopback interface, of a server
that has answered each page once; then, in Chromium with an empty cache, the time from the start of a navigation to the
first contentful paint.
"""

import argparse
import gc
import shutil
import statistics
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from playwright.sync_api import Browser, sync_playwright
from sqlalchemy import Connection, event
from sqlalchemy.engine import Engine

from app.database import Database, upgrade
from app.settings import ApiSettings
from assay import logs
from benchmarks.large_class import ASSIGNMENT, CHALLENGE, COURSE, STUDENT, fill
from tests.app.redis_process import running_redis
from tests.app.school import serve
from tests.browser import FLAGS
from tests.postgresql_process import find_programs, temporary_postgresql

BASE = f"/courses/{COURSE}"
IN_ASSIGNMENT = f"{BASE}/assignments/{ASSIGNMENT}"
PAGES = {
    "course, this week": BASE,
    "this week, one student": f"{BASE}?search=student-77",
    "gradebook": f"{BASE}/gradebook",
    "gradebook, by total": f"{BASE}/gradebook?sort=total&direction=down",
    "submissions": f"{BASE}/submissions",
    "submissions, searched and sorted": f"{BASE}/submissions?search=student-1&verdict=failed&order=score",
    "submissions, the last page": f"{BASE}/submissions?offset=19950",
    "people": f"{BASE}/people",
    "one student": f"{BASE}/people/student-7",
    "regrade requests": f"{BASE}/regrade-requests",
    "regrade requests, closed": f"{BASE}/regrade-requests?closed=true",
    "exports": f"{BASE}/exports",
    "audit log": f"{BASE}/audit",
    "overview": IN_ASSIGNMENT,
    "understanding": f"{IN_ASSIGNMENT}/understanding",
    "passages": f"{IN_ASSIGNMENT}/understanding/rope-on-v",
    "teach this": f"{IN_ASSIGNMENT}/understanding/rope-on-v/teach",
    "students": f"{IN_ASSIGNMENT}/students",
    "stuck": f"{IN_ASSIGNMENT}/stuck",
    "questions": f"{IN_ASSIGNMENT}/questions",
    "regrades": f"{IN_ASSIGNMENT}/regrades",
    "settings": f"{IN_ASSIGNMENT}/edit",
    "operations": "/operations",
}
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
    parser.add_argument("--assignments", type=int, default=1)
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
        tokens = fill(database, wanted.students, wanted.submissions, wanted.assignments - 1)
        if not wanted.sqlite:
            with database.engine.connect() as connection:
                connection.exec_driver_sql("ANALYZE")
                connection.commit()
        statements.watch()
        try:
            with serve(ApiSettings(database_url=url, redis_url=redis.url, secret_key="s" * 40)) as address:
                gc.collect()
                gc.freeze()  # as `assay api` does
                measure(address, tokens, statements, wanted.rounds)
            explain(database, statements)
        finally:
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


if __name__ == "__main__":
    main()
