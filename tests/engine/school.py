"""A small second implementation of the REST API, over real HTTP: it grades by a word in the file, and can misbehave."""

import json
import threading
import time
import uuid
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated, Any

import uvicorn
from fastapi import Body, FastAPI, File, Form, Header, Request, UploadFile
from fastapi.responses import JSONResponse, Response, StreamingResponse

from grader.guest.submission import Submission
from grader.report import Report
from tests.engine import papers
from tests.patience import wait_until

TOKEN = "assay_" + "t" * 32
FLOOD_PIECE_BYTES, FLOOD_PIECES = 1 << 20, 64
FINAL = {"graded", "cancelled", "superseded"}


@dataclass
class Flood:
    """An answer to every request that is right, and followed by far too many blanks."""

    status: int
    body: bytes
    is_compressed: bool = False
    sent_bytes: int = 0

    def response(self) -> Response:
        kind = "application/json" if self.status == 200 else "application/problem+json"
        encoding = {"Content-Encoding": "gzip"} if self.is_compressed else {}
        return StreamingResponse(self._pieces(), self.status, encoding, media_type=kind)

    def _pieces(self) -> Iterator[bytes]:
        gzip = zlib.compressobj(wbits=31) if self.is_compressed else None
        for piece in (self.body, *[b" " * FLOOD_PIECE_BYTES] * FLOOD_PIECES):
            encoded = gzip.compress(piece) + gzip.flush(zlib.Z_SYNC_FLUSH) if gzip else piece
            self.sent_bytes += len(piece)
            yield encoded
        if gzip:
            yield gzip.flush()


@dataclass
class School:
    """What it holds, what it was sent, and how it shall misbehave next (each number counts down)."""

    submissions: dict[str, dict[str, Any]] = field(default_factory=dict)
    keys: dict[str, str] = field(default_factory=dict)
    received: list[dict[str, Any]] = field(default_factory=list)
    regrade_requests: list[dict[str, Any]] = field(default_factory=list)
    answers: dict[str, dict[str, Any]] = field(default_factory=dict)
    standings: dict[str, dict[str, Any]] = field(default_factory=dict)  # what may follow an answer, by question
    questions: list[dict[str, Any]] = field(default_factory=lambda: papers.QUESTIONS)
    runs_s: float = 0.3  # how long a line of code takes to be marked
    news: list[dict[str, Any]] = field(default_factory=list)
    locked: str | None = None  # why there are no questions yet
    score: dict[str, Any] | None = None  # in the assignment
    last_event_ids: list[str | None] = field(default_factory=list)
    hunt: dict[str, Any] | None = None  # None: the student has not passed yet
    lost_posts: int = 0  # accepted, but the answer never arrives
    gateway_errors: int = 0  # 502 by something in between
    busy: int = 0
    busy_for_s: int = 1
    busy_because: str = "At most 30 a minute."
    broken_streams: int = 0  # break after two events
    no_streams: bool = False  # 500 on every stream
    lags: bool = False  # events come before the database knows
    hold: bool = False  # never finishes
    is_held: bool = False  # no result is told until it is released
    waiting: str | None = None
    is_revoked: bool = False
    place: dict[str, Any] | None = None
    web: str | None = "/submissions/{id}"
    flood: Flood | None = None
    default_path: str = "cs336_basics/layers.py"
    slug: str | None = None  # what a challenge calls itself, other than it was asked for
    libraries: dict[str, str] = field(default_factory=dict)
    me: dict[str, Any] = field(default_factory=dict)
    asks: dict[str, Any] = field(default_factory=dict)  # of a file, as newer servers tell it
    board: dict[str, Any] = field(default_factory=dict)  # the leaderboard of demo/attention
    more: dict[str, dict[str, Any]] = field(default_factory=dict)  # further challenges, by slug

    def report(self, source: bytes, filename: str) -> Report:
        return papers.report_for(source, filename)

    def submission(self, submission_id: str, *, with_report: bool = True) -> dict[str, Any]:
        kept = self.submissions[submission_id]
        report: Report | None = kept["report"] if kept["state"] == "graded" else None
        return {
            "id": submission_id,
            "challenge": kept["challenge"],
            "filename": kept["filename"],
            "sha256": kept.get("sha256", "0" * 64),
            "state": kept["state"],
            "created_at": "2026-11-21T10:00:00Z",
            "started_at": None,
            "graded_at": None,
            "attempt": kept["attempt"],
            "hunt": kept.get("fix"),
            "student": "Ada",
            "verdict": report.verdict if report else None,
            "score": report.score if report else None,
            "max_score": report.max_score if report else None,
            "report": json.loads(report.to_json()) if report and with_report else None,
            "assignment": "demo/attention" if self.score else None,
            "assignment_title": "Attention" if self.score else None,
            "assignment_score": self.score,
            "is_held": self.is_held,
            "waiting": None if report else self.waiting,
            "queue": None if report else self.place,
            "links": {"self": "", "web": self.web and self.web.format(id=submission_id)},
        }


def problem(status: int, title: str, detail: str = "", **headers: str) -> Response:
    body = {"type": "urn:assay:problem:x", "title": title, "status": status, "detail": detail}
    return JSONResponse(body, status, headers, media_type="application/problem+json")


def create_app(school: School) -> FastAPI:
    app = FastAPI(openapi_url=None)

    @app.middleware("http")
    async def doors(request: Request, call_next: Any) -> Response:
        if school.flood is not None:
            return school.flood.response()
        if school.gateway_errors > 0:
            school.gateway_errors -= 1
            return Response("<html>Bad gateway</html>", 502, media_type="text/html")
        if school.is_revoked or request.headers.get("Authorization") != f"Bearer {TOKEN}":
            return problem(401, "You are not signed in", "The token is is unknown or has been revoked.")
        return await call_next(request)

    @app.get("/api/v1/me")
    def me() -> Any:
        return {"id": "u1", "name": "Ada", "role": "student", "courses": [], "submissions": {}} | school.me

    @app.delete("/api/v1/me/tokens/current", status_code=204)
    def revoke() -> None:
        school.is_revoked = True

    @app.get("/api/v1/challenges")
    def challenges() -> Any:
        return {"items": [challenge(), *(challenge() | {"slug": slug} | more for slug, more in school.more.items())]}

    def challenge() -> dict[str, Any]:
        return {
            "slug": "mha-rope",
            "title": "Multi-head attention with RoPE",
            "summary": "Rotate queries and keys; [bold]never[/bold] values.",
            "upload": "layers.py",
            "default_path": school.default_path,
            "version": "abc",
            "max_score": 100.0,
        }

    @app.get("/api/v1/challenges/{slug}")
    def one_challenge(slug: str) -> Any:
        if slug not in {"mha-rope", "mha-rope-causal", *school.more}:
            return problem(404, "There is no such challenge", f"{slug} is not a challenge here.")
        more = {"spec": "# Multi-head attention\n", "families": [], "entry_points": [], "libraries": school.libraries}
        more |= school.more.get(slug, school.asks)
        return challenge() | {"slug": school.slug or slug, **more}

    @app.get("/api/v1/challenges/{slug}/starter")
    def starter(slug: str) -> Any:
        return Response(b"import torch\n", media_type="text/x-python")

    @app.get("/api/v1/challenges/{slug}/hunt")
    def hunt(slug: str) -> Any:
        return school.hunt if school.hunt else problem(409, "Not possible now", "It begins when your file has passed.")

    @app.post("/api/v1/challenges/{slug}/hunt/next")
    def next_hunt(slug: str) -> Any:
        if not school.hunt or not school.hunt["is_solved"]:
            return problem(409, "Not possible now", "You have not solved the last one yet.")
        school.hunt = papers.hunt(number=school.hunt["number"] + 1)
        return JSONResponse(school.hunt, 201)

    @app.post("/api/v1/challenges/{slug}/hunt/fixes")
    async def fix(
        slug: str, file: Annotated[UploadFile, File()], idempotency_key: Annotated[str | None, Header()] = None
    ) -> Any:
        taken = await submit(file, [], slug, None, None, idempotency_key)
        kept = school.submissions[school.keys[idempotency_key or ""]]
        kept["fix"] = papers.fix_of(kept["report"], school.received[-1]["source"])
        if school.hunt and kept["fix"]["is_solved"]:
            school.hunt |= {"is_solved": True, "tries": 2, "cause": papers.CAUSE, "left": 1}
        return taken

    @app.post("/api/v1/submissions")
    async def submit(
        file: Annotated[UploadFile, File()],
        siblings: Annotated[list[UploadFile], File()] = [],  # noqa: B006
        challenge: Annotated[str, Form()] = "mha-rope",
        assignment: Annotated[str | None, Form()] = None,
        path: Annotated[str | None, Form()] = None,
        idempotency_key: Annotated[str | None, Header()] = None,
    ) -> Any:
        if school.busy > 0:
            school.busy -= 1
            return problem(429, "Too many submissions", school.busy_because, **{"Retry-After": str(school.busy_for_s)})
        source = await file.read()
        if b"TEAPOT" in source:
            return problem(403, "The course is \x1b[31mclosed", "It ended [red]yesterday[/red].")
        if idempotency_key in school.keys:
            submission_id = school.keys[idempotency_key]
        else:
            submission_id = f"s{uuid.uuid4().hex[:10]}"
            school.submissions[submission_id] = {
                "challenge": challenge,
                "filename": file.filename,
                "state": "queued",
                "attempt": len(school.submissions) + 1,
                "report": school.report(source, file.filename or ""),
                "source": source,
            }
            if idempotency_key:
                school.keys[idempotency_key] = submission_id
            sent = {s.filename or "": await s.read() for s in siblings}
            meant = {"challenge": challenge, "assignment": assignment, "path": path}
            main = path or school.more.get(challenge, {}).get("default_path", school.default_path)
            school.submissions[submission_id]["sha256"] = Submission(main, {**sent, main: source}).sha256
            school.received.append({"source": source, "siblings": sent, "key": idempotency_key, **meant})
        if school.lost_posts > 0:
            school.lost_posts -= 1
            return StreamingResponse(broken(), 202, headers={"Content-Length": "500"})
        return JSONResponse(school.submission(submission_id), 202)

    def broken() -> Iterator[bytes]:
        yield b"{"
        raise ConnectionError("on purpose")

    @app.get("/api/v1/submissions")
    def submissions(challenge: str | None = None, limit: int = 20) -> Any:
        items = [school.submission(key, with_report=False) for key in reversed(school.submissions)]
        items = [item for item in items if challenge in {None, item["challenge"]}]
        return {"items": items[:limit], "next_cursor": "x" if len(items) > limit else None}

    @app.get("/api/v1/courses/demo/assignments/attention/leaderboard")
    def board(order: str) -> Any:
        return {"title": "Attention", "order": order} | school.board

    @app.put("/api/v1/courses/demo/assignments/attention/leaderboard/mine", status_code=204)
    async def join(request: Request) -> None:
        pseudonym = (await request.json())["pseudonym"] or "drawn owl"
        school.board = school.board | {"mine": {"pseudonym": pseudonym, "standing": "waiting"}}

    @app.delete("/api/v1/courses/demo/assignments/attention/leaderboard/mine", status_code=204)
    def leave() -> None:
        school.board = {}

    @app.get("/api/v1/submissions/{submission_id}/files")
    def files(submission_id: str) -> Any:
        text = school.submissions[submission_id]["source"].decode()
        return {"items": [{"path": "cs336_basics/layers.py", "is_main": True, "text": text}]}

    @app.post("/api/v1/submissions/{submission_id}/cancel")
    def cancel(submission_id: str) -> Any:
        if submission_id not in school.submissions:
            return problem(404, "There is no such submission", "Nothing of yours has this id.")
        if school.submissions[submission_id]["state"] == "graded":
            return problem(409, "Not possible now", "Grading has already started.")
        school.submissions[submission_id]["state"] = "cancelled"
        return school.submission(submission_id)

    @app.get("/api/v1/submissions/{submission_id}")
    def submission(submission_id: str) -> Any:
        if submission_id not in school.submissions:
            return problem(404, "There is no such submission", "Nothing of yours has this id.")
        if school.no_streams and not school.hold:
            school.submissions[submission_id]["state"] = "graded"
        return school.submission(submission_id)

    @app.get("/api/v1/submissions/{submission_id}/events")
    def events(submission_id: str, last_event_id: Annotated[str | None, Header()] = None) -> Any:
        school.last_event_ids.append(last_event_id)
        if school.no_streams:
            return problem(500, "Something broke here", "It is being looked at.")
        return StreamingResponse(stream(submission_id, last_event_id), media_type="text/event-stream")

    def stream(submission_id: str, last_event_id: str | None) -> Iterator[bytes]:
        kept = school.submissions[submission_id]
        seen = int(last_event_id or 0)
        if school.place is not None:
            yield f"event: queue\ndata: {json.dumps(school.place)}\n\n".encode()
        for number, (kind, data) in enumerate(papers.events_of(kept["report"]), start=1):
            if number <= seen:
                continue
            if school.broken_streams > 0 and number == seen + 3:
                school.broken_streams -= 1
                raise ConnectionError("on purpose")
            if school.hold and kind == "verdict":
                while school.hold:
                    yield b": still here\n\n"
                    time.sleep(0.1)
            if kind == "state" and not (school.lags and data["state"] == "running"):
                kept["state"] = data["state"]
            yield f"id: {number}\r\nevent: {kind}\r\ndata: {json.dumps(data)}\r\n\r\n".encode()

    @app.get("/api/v1/submissions/{submission_id}/comments")
    def comments(submission_id: str) -> dict[str, Any]:
        return {"items": []}

    @app.get("/api/v1/submissions/{submission_id}/regrade-requests")
    def regrade_requests(submission_id: str) -> dict[str, Any]:
        return {"items": school.regrade_requests, "refusal": None}

    @app.post("/api/v1/submissions/{submission_id}/regrade-requests", status_code=201)
    def request_regrade(submission_id: str, wanted: Annotated[dict[str, Any], Body()]) -> dict[str, Any]:
        made = {**wanted, "id": "R1", "asked_at": "2026-10-05T10:00:00Z", "outcome": None, "answer": None}
        school.regrade_requests.append(made)
        return made

    @app.post("/api/v1/submissions/{submission_id}/regrade-requests/{request}/withdraw")
    def withdraw_request(submission_id: str, request: str) -> dict[str, Any]:
        (found,) = (each for each in school.regrade_requests if each["id"] == request)
        found["outcome"] = "withdrawn"
        return found

    @app.get("/api/v1/me/news")
    def news() -> dict[str, Any]:
        return {"items": school.news}

    @app.get("/api/v1/submissions/{submission_id}/questions")
    def questions(submission_id: str) -> Any:
        if school.submissions[submission_id]["state"] not in FINAL:
            return problem(409, "Not yet", "The questions come with the verdict.")
        if school.locked:
            return problem(409, "Not possible now", school.locked)
        return {"items": [q | {"answer": answer_to(q["id"])} | standing(q["id"]) for q in school.questions]}

    def answer_to(question: str) -> dict[str, Any] | None:
        kept = school.answers.get(question)
        if kept and "ready_at" in kept and time.monotonic() > kept["ready_at"]:
            kept["mark"] = papers.mark("why-not-v", "relative")
        return kept

    def standing(question: str) -> dict[str, Any]:
        return school.standings.get(question, {})

    @app.post("/api/v1/submissions/{submission_id}/answers")
    async def answer(submission_id: str, request: Request) -> Any:
        given = (await request.json())["answers"][0]
        question = given["question"]
        marked = papers.mark(question, given["answer"])
        if marked is None:
            return problem(422, "That is not an answer to this question", "Write a number, for example 12.")
        if school.standings.get(question, {}).get("answers_left") == 0:
            return problem(
                409, "Not possible now", f"{question}: You have no answers left for this question: the limit is 1."
            )
        if "answers_left" in school.standings.get(question, {}):
            school.standings[question]["answers_left"] -= 1
        school.answers[question] = {"given": given["answer"], "mark": marked}
        if question == "fill":
            school.answers[question]["ready_at"] = time.monotonic() + school.runs_s
        return {"items": [school.answers[question] | {"question": question} | standing(question)]}

    return app


class Server:
    """The school on a free port, in a thread."""

    def __init__(self, app: Any) -> None:
        config = uvicorn.Config(app, port=0, log_config=None, ws="none", timeout_graceful_shutdown=1)
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, daemon=True)

    def __enter__(self) -> "Server":
        self._thread.start()
        wait_until(lambda: self._server.started)
        return self

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join(5)

    @property
    def url(self) -> str:
        port = self._server.servers[0].sockets[0].getsockname()[1]
        return f"http://127.0.0.1:{port}"
