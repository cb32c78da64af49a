"""A whole front end for one test: a real server, a real database, real people with tokens, and a stand-in judge."""

import asyncio
import base64
import json
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, Literal

import httpx
import uvicorn
from celery import Celery
from sqlalchemy import select, update

from app.accounts import service as accounts
from app.broker import Broker
from app.database import Database
from app.jobs.kind import Office
from app.main import create_app
from app.metrics import RecorderMetrics
from app.models import Job, Role, now
from app.recording import Recording
from app.settings import ApiSettings, RecorderSettings
from app.submissions.feedback import HELD_PAUSE
from app.sweeper import Sweeper
from assay.redis_accounts import RECORDER
from grader.messages import (
    FAULT_TASK,
    GRADE_CPU_QUEUE,
    QUEUED_AT_HEADER,
    RECORD_QUEUE,
    RECORD_TASK,
    STARTED_TASK,
    Fault,
    Graded,
    GradeRequest,
    JobKind,
    Started,
    lease_key,
)
from grader.report import (
    ChallengeRef,
    Diagnosis,
    Environment,
    Report,
    SubmissionRef,
    TestResult,
    TestStatus,
    Verdict,
    Visibility,
)
from tests.app.redis_process import RedisProcess, free_port
from tests.app.rows import Rows
from tests.patience import PATIENCE_S

SOURCE = b"def rope(): ...\n"
PEOPLE: Final = {
    "ada": (Role.STUDENT, "demo"),
    "bob": (Role.STUDENT, "demo"),
    "grace": (Role.INSTRUCTOR, "demo"),
    "root": (Role.OPERATOR, None),
}
# To read all certificates of the world takes longer than most requests, and ours are none of theirs.
NO_CERTIFICATES: Final = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def make_report(verdict: Verdict = Verdict.FAILED, score: float = 40.0, misconceptions: tuple[str, ...] = ()) -> Report:
    return Report(
        challenge=ChallengeRef(slug="mha-rope", version="v1"),
        submission=SubmissionRef(filename="layers.py", sha256="0" * 64),
        verdict=verdict,
        score=score,
        max_score=100.0,
        summary="RoPE is applied to V.",
        seed=7,
        tests=(
            TestResult(
                id="heads-1", group="heads", title="one head", status=TestStatus.FAILED, score=0.0, max_score=2.0,
                visibility=Visibility.HIDDEN, message="secret message", metrics={"max_abs_error": 0.5},
            ),
        ),
        diagnoses=tuple(
            Diagnosis(id=name, title=f"About {name}", explanation="why", evidence="what") for name in misconceptions
        ),
        environment=Environment(torch="2", device="cpu", sandbox="none"),
    )  # fmt: skip


@dataclass
class Event:
    """One server-sent event as it came over the wire."""

    event: str
    data: dict[str, Any]
    id: str | None


class Judge:
    """Takes grade requests from the real queue and sends real messages to the recorder's."""

    def __init__(self, redis: RedisProcess) -> None:
        self._redis = redis.client()
        self._celery = Celery("judge", broker=redis.url, set_as_current=False)

    def take(self, timeout_s: float = 60.0) -> GradeRequest:
        found: Any = self._redis.brpop([GRADE_CPU_QUEUE], timeout=timeout_s)
        assert found is not None, "nothing was queued"
        body = json.loads(base64.b64decode(json.loads(found[1])["body"]))
        return GradeRequest.model_validate(body[1]["request"])

    def waiting(self) -> int:
        return int(self._redis.llen(GRADE_CPU_QUEUE))

    def lease(self, job: str) -> None:
        self._redis.set(lease_key(job), "judge", ex=15)

    def send_started(self, job: str) -> None:
        self._send(STARTED_TASK, Started(job=job, worker="judge", at=time.time()))

    def send_graded(
        self, job: str, report: Report, headers: dict[str, Any] | None = None, queue: str = RECORD_QUEUE
    ) -> None:
        self._send(RECORD_TASK, Graded(job=job, report=report), headers, queue)

    def send_fault(self, job: str, reason: str) -> None:
        self._send(FAULT_TASK, Fault(job=job, reason=reason))

    def _send(
        self,
        task: str,
        message: Started | Graded | Fault,
        headers: dict[str, Any] | None = None,
        queue: str = RECORD_QUEUE,
    ) -> None:
        kwargs = {"message": message.model_dump(mode="json", by_alias=True)}
        headers = {QUEUED_AT_HEADER: time.time(), **(headers or {})}
        self._celery.send_task(task, kwargs=kwargs, queue=queue, headers=headers)

    def close(self) -> None:
        self._celery.close()
        self._redis.close()


class Clock:
    """The time of day, and what a test has let pass of it without waiting."""

    def __init__(self) -> None:
        self._passed_s = 0.0

    def __call__(self) -> float:
        return time.time() + self._passed_s

    def let_pass(self, seconds: float) -> None:
        self._passed_s += seconds


@dataclass
class School:
    """The server's address, and everything a test wants to reach past it."""

    api_settings: ApiSettings
    redis: RedisProcess
    url: str = ""
    database: Database = field(init=False)
    broker: Broker = field(init=False)
    judge: Judge = field(init=False)
    clock: Clock = field(default_factory=Clock)
    tokens: dict[str, str] = field(default_factory=dict)
    clients: list[httpx.Client] = field(default_factory=list)
    _signed_up: ClassVar[tuple[dict[str, str], Rows] | None] = None

    def __post_init__(self) -> None:
        self.database = Database(self.api_settings.database_url)
        self.broker = Broker(self.redis.url)
        self.judge = Judge(self.redis)

    @property
    def recorder_settings(self) -> RecorderSettings:
        return RecorderSettings(
            database_url=self.api_settings.database_url,
            redis_url=self.redis.url_of(RECORDER),
            sweep_every_s=0.1,
            lost_after_s=0.2,
            requeue_base_s=0.3,
        )

    def job(self, submission_id: str, kind: JobKind = JobKind.SUBMISSION) -> Job:
        """The newest of that kind."""
        with self.database.read() as session:
            query = select(Job).where(Job.submission_id == submission_id, Job.kind == kind)
            return session.scalars(query.order_by(Job.id.desc()).limit(1)).one()

    def change_job(self, job_id: str, **values: Any) -> None:
        """As if time had gone by, or a message had been sent."""
        with self.database.write() as session:
            session.execute(update(Job).where(Job.id == job_id).values(**values))

    def office(self, **changes: Any) -> Office:
        """What a recorder works with, with other settings where a test needs them."""
        settings = self.recorder_settings.model_copy(update=changes)
        return Office(settings, self.broker, RecorderMetrics())

    def recording(self, **changes: Any) -> Recording:
        return Recording(self.database, self.office(**changes))

    def sweeper(self, **changes: Any) -> Sweeper:
        return Sweeper(self.database, self.office(**changes), clock=self.clock)

    def add(self, name: str, role: Role = Role.STUDENT, course: str | None = "demo") -> None:
        accounts.create_user(self.database, name, role, course)
        self.tokens[name] = accounts.issue_token(self.database, name)

    def add_people(self) -> None:
        """PEOPLE, into an empty database. They sign up once in a process; later schools get copies of their rows."""
        if School._signed_up is None:
            for name, (role, course) in PEOPLE.items():
                self.add(name, role, course)
            School._signed_up = dict(self.tokens), Rows.of(self.database)
        else:
            tokens, rows = School._signed_up
            rows.put_into(self.database, is_empty=True)
            self.tokens.update(tokens)

    def client(self, name: str | None = None) -> httpx.Client:
        headers = {"Authorization": f"Bearer {self.tokens[name]}"} if name else {}
        client = httpx.Client(
            base_url=f"{self.url}/api/v1", headers=headers, timeout=PATIENCE_S, trust_env=False, verify=NO_CERTIFICATES
        )
        self.clients.append(client)
        return client

    def submit(self, name: str = "ada", source: bytes = SOURCE, **options: Any) -> dict[str, Any]:
        response = self.client(name).post("/submissions", files={"file": ("layers.py", source)}, **options)
        assert response.status_code == 202, response.text
        return response.json()  # type: ignore[no-any-return]

    def grade(self, submission_id: str, report: Report | None = None) -> None:
        self.recording().record(Graded(job=submission_id, report=report or make_report()))

    def let_held_be_told(self, submission_id: str) -> None:
        """As if the time had gone by after which a student is told that something is graded and held."""
        self.change_job(submission_id, started_at=now() - HELD_PAUSE)

    def watch(
        self,
        submission_id: str,
        name: str = "ada",
        last_event_id: str | None = None,
        hear: Callable[[Event], None] = lambda _: None,
        until: str = "state",
    ) -> list[Event]:
        """All events until the server ends the stream; `hear` is told each as it comes."""
        headers = {"Last-Event-ID": last_event_id} if last_event_id else {}
        path = f"/submissions/{submission_id}/events"
        with self.client(name).stream("GET", path, headers=headers, params={"until": until}) as response:
            assert response.headers["content-type"].startswith("text/event-stream")
            events = []
            for event in parse_events(response.iter_lines()):
                events.append(event)
                hear(event)
            return events

    def close(self) -> None:
        for client in self.clients:
            client.close()
        self.judge.close()
        self.broker.close()
        self.database.close()


def parse_events(lines: Iterator[str]) -> Iterator[Event]:
    fields: dict[str, str] = {}
    for line in lines:
        if not line and "data" in fields:
            yield Event(fields.get("event", ""), json.loads(fields["data"]), fields.get("id"))
        if not line:
            fields = {}
        elif not line.startswith(":"):
            name, _, value = line.partition(": ")
            fields[name] = value


@contextmanager
def serve(settings: ApiSettings, loop: Literal["auto", "asyncio"] = "auto") -> Iterator[str]:
    """The real application behind a real socket; yields its address."""
    port = free_port()
    config = uvicorn.Config(
        create_app(settings),
        host="127.0.0.1",
        port=port,
        log_config=None,
        loop=loop,
        access_log=False,
        proxy_headers=False,
        timeout_graceful_shutdown=1,
    )
    server = PromptServer(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive(), "the server did not start"
            time.sleep(0.005)
        yield f"http://127.0.0.1:{port}"
    finally:
        if thread.is_alive():
            server.stop()
        thread.join()


class PromptServer(uvicorn.Server):
    """Ends as soon as it is told to. uvicorn's own looks for that ten times a second, and then gives connections that
    may not be there another tenth: for a thousand tests these are minutes.
    """

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        self._loop, self._told = asyncio.get_running_loop(), asyncio.Event()
        await super().startup(sockets)

    async def main_loop(self) -> None:
        await self.on_tick(0)  # makes the headers of every answer
        await self._told.wait()

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._told.set)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        if self.server_state.connections or self.server_state.tasks:
            await super().shutdown(sockets)
            return
        for server in self.servers:
            server.close()
        await self.lifespan.shutdown()
