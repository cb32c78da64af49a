"""The server's REST API as methods, with what is remembered of the server here. Raises only engine.errors; knows no
terminal.
"""

import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final, Self, TypeVar

import httpx
from pydantic import BaseModel, JsonValue, ValidationError

from engine.config import DEFAULT_SERVER, Config, is_loopback
from engine.errors import NotSignedIn, ServerNotUnderstood, TooManyRequests, WrongUsage
from engine.events import Event, EventParser
from engine.memory import Memory
from engine.naming import SLUG
from engine.problems import refused, unreachable
from engine.upload import Upload
from engine.wire.accounts import Me
from engine.wire.base import Listed
from engine.wire.challenges import ChallengeDetail, ChallengeItem
from engine.wire.hunts import Hunt
from engine.wire.leaderboard import Leaderboard
from engine.wire.questions import MarkedAnswer, Question
from engine.wire.receipts import KeySet, PublicKey
from engine.wire.submissions import SentFile, Submission, SubmissionPage
from engine.wire.talk import Comment, NewsItem, RegradeRequest

TIMEOUT: Final = httpx.Timeout(30.0, connect=5.0)
RETRY_DELAYS_S: tuple[float, ...] = (0.3, 0.6, 1.2)
PATIENCE_WHEN_BUSY_S: Final = 15.0  # a 429 that asks for less is waited for, once
PATIENCE_OF_PROJECTS_S: Final = 90.0  # of what sends one file after another: more than a minute's limit
ANSWER_BYTES_MAX: Final = 16 << 20  # many times the longest report
PASSING_STATUSES: Final = frozenset(
    {HTTPStatus.BAD_GATEWAY, HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.GATEWAY_TIMEOUT}
)
T = TypeVar("T", bound=BaseModel)

_NAME: Final = re.compile(SLUG)


class Client:
    """One student at one server. `tell` hears one sentence when a request has to wait, as it may for `patience_s`."""

    def __init__(
        self, config: Config, tell: Callable[[str], None] = lambda _: None, patience_s: float = PATIENCE_WHEN_BUSY_S
    ) -> None:
        if config.token is None:
            raise NotSignedIn(f"You are not signed in to {config.server}.", "Run `engine login`.")
        self.server = config.server
        self.memory = Memory.of(config)
        self._tell, self._patience_s = tell, patience_s
        self._http = _http(config.server, config.token)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    def me(self) -> Me:
        """Asks whose token this is."""
        return self._get("me", Me)

    def revoke_token(self) -> None:
        """Revokes the token that this client sends. Raises NotSignedIn when it was not valid any more."""
        self._request("DELETE", "me/tokens/current")

    def challenges(self) -> tuple[ChallengeItem, ...]:
        """Lists the challenges of the server."""
        return self._get("challenges", Listed[ChallengeItem]).items

    def challenge(self, slug: str) -> ChallengeDetail:
        """Fetches a challenge with its text."""
        return self._get(_challenge(slug), ChallengeDetail)

    def starter(self, slug: str) -> bytes:
        """Fetches the file that students begin with."""
        return self._request("GET", _challenge(slug, "/starter")).content

    def submit(self, upload: Upload, challenge: str, assignment: str | None = None) -> Submission:
        """Sends a file, and remembers it. `assignment` is `course/slug`."""
        told = {"challenge": challenge, "assignment": assignment, "path": upload.main}
        key = self.memory.key_for(upload, challenge, assignment)
        return self._sent("submissions", upload, key, {name: value for name, value in told.items() if value})

    def hunt(self, slug: str) -> Hunt:
        """Fetches the file with a bug that is to be mended now."""
        return self._get(_challenge(slug, "/hunt"), Hunt)

    def next_hunt(self, slug: str) -> Hunt:
        """Asks for another file, once the last one is mended."""
        return self._post(_challenge(slug, "/hunt/next"), Hunt)

    def submit_fix(self, upload: Upload, slug: str) -> Submission:
        """Sends the file of a bug hunt, and remembers it."""
        return self._sent(_challenge(slug, "/hunt/fixes"), upload, self.memory.key_for(upload, f"hunt/{slug}"), {})

    def submission(self, submission_id: str) -> Submission:
        """Fetches a submission as it is now."""
        return self._get(_submission(submission_id), Submission)

    def cancel(self, submission_id: str) -> Submission:
        """Raises NotNow when a judge has taken it."""
        return self._post(_submission(submission_id, "/cancel"), Submission)

    def submissions(self, challenge: str | None = None, limit: int = 20) -> SubmissionPage:
        """Fetches the newest submissions, of one challenge or of all."""
        params = {"limit": str(limit)} | ({"challenge": challenge} if challenge else {})
        return self._get("submissions", SubmissionPage, params=params)

    def files(self, submission_id: str) -> tuple[SentFile, ...]:
        """Fetches the files of a submission, the main one first."""
        return self._get(_submission(submission_id, "/files"), Listed[SentFile]).items

    def comments(self, submission_id: str) -> tuple[Comment, ...]:
        """Fetches what the course's staff wrote about a submission, as far as it is told."""
        return self._get(_submission(submission_id, "/comments"), Listed[Comment]).items

    def regrade_requests(self, submission_id: str) -> tuple[RegradeRequest, ...]:
        """Fetches the student's regrade requests on a submission, as far as they are told."""
        return self._get(_submission(submission_id, "/regrade-requests"), Listed[RegradeRequest]).items

    def request_regrade(
        self, submission_id: str, reason: str, tests: Sequence[str], file: str | None, lines: Sequence[int]
    ) -> RegradeRequest:
        """Raises BadRequest for what the submission does not have, NotNow when no request can be made."""
        body = {"reason": reason, "tests": list(tests), "file": file, "lines": list(lines)}
        return self._post(_submission(submission_id, "/regrade-requests"), RegradeRequest, json=body)

    def withdraw_regrade_request(self, submission_id: str, request: str) -> RegradeRequest:
        """Raises NotNow when it is closed."""
        path = _submission(submission_id, f"/regrade-requests/{_name(request, 'request')}/withdraw")
        return self._post(path, RegradeRequest)

    def news(self) -> tuple[NewsItem, ...]:
        """Fetches what is new for the person, the newest first."""
        return self._get("me/news", Listed[NewsItem]).items

    def leaderboard(self, assignment: str, order: str) -> Leaderboard:
        """Fetches the leaderboard of an assignment, `course/slug`, by `time` or by `memory`."""
        return self._get(_leaderboard(assignment), Leaderboard, params={"order": order})

    def join_leaderboard(self, assignment: str, pseudonym: str | None) -> None:
        """Joins a leaderboard, or changes the pseudonym. Without one, the server draws one. Raises NotNow for whoever
        may not.
        """
        self._request("PUT", f"{_leaderboard(assignment)}/mine", json={"pseudonym": pseudonym})

    def leave_leaderboard(self, assignment: str) -> None:
        """Deletes one's own entry."""
        self._request("DELETE", f"{_leaderboard(assignment)}/mine")

    def receipt_keys(self) -> tuple[PublicKey, ...]:
        """Fetches the keys that receipts are signed with."""
        return self._get("receipts/key", KeySet).keys

    def events(self, submission_id: str, last_event_id: str | None) -> Iterator[Event]:
        """Yields what has happened since `last_event_id` and what happens next, until the server ends it. Raises
        Unreachable when the connection breaks.
        """
        headers = {"Accept": "text/event-stream"} | ({"Last-Event-ID": last_event_id} if last_event_id else {})
        path = _submission(submission_id, "/events")
        parser = EventParser()
        try:
            with self._http.stream("GET", path, headers=headers) as response:
                if not response.is_success:
                    raise refused(self._read_whole(response), self.server)
                self._refuse_compressed(response)
                if not response.headers.get("Content-Type", "").startswith("text/event-stream"):
                    raise self._not_understood()
                for chunk in response.iter_bytes():
                    yield from parser.feed(chunk)
        except httpx.RequestError as error:
            raise unreachable(error, self.server) from error

    def questions(self, submission_id: str) -> tuple[Question, ...]:
        """Fetches the questions about a submission. Raises NotNow before its verdict."""
        return self._get(_submission(submission_id, "/questions"), Listed[Question]).items

    def answer(self, submission_id: str, question: str, answer: JsonValue) -> MarkedAnswer:
        """Answers one question. Raises BadRequest for what is no answer to it, NotNow when no more is taken."""
        body = {"answers": [{"question": question, "answer": answer}]}
        items = self._post(_submission(submission_id, "/answers"), Listed[MarkedAnswer], json=body).items
        if not items:
            raise self._not_understood()
        return items[0]

    def _sent(self, path: str, upload: Upload, key: str, told: Mapping[str, str]) -> Submission:
        """The server takes the same key once, so that it is safe to send again what may have arrived."""
        parts = [("file", upload.name, upload.source), *(("siblings", *each) for each in upload.siblings.items())]
        submission = self._post(
            path,
            Submission,
            data=told,
            files=[(part, (name, content, "text/x-python")) for part, name, content in parts],
            headers={"Idempotency-Key": key},
        )
        self.memory.arrived(upload, submission.id)
        return submission

    def _get(self, path: str, model: type[T], **options: Any) -> T:
        return self._read(self._request("GET", path, **options), model)

    def _post(self, path: str, model: type[T], **options: Any) -> T:
        return self._read(self._request("POST", path, **options), model)

    def _read(self, response: httpx.Response, model: type[T]) -> T:
        try:
            return model.model_validate_json(response.content, extra="ignore")  # a newer server may say more
        except ValidationError as error:
            raise self._not_understood() from error

    def _request(self, method: str, path: str, **options: Any) -> httpx.Response:
        """One request that succeeds, or an error. Waits once when the server is busy and says for how long."""
        try:
            return self._send(method, path, options)
        except TooManyRequests as busy:
            if busy.retry_after_s > self._patience_s:
                raise
            self._tell(f"The server takes no more at the moment; trying again in {busy.retry_after_s:.0f} s.")
            time.sleep(busy.retry_after_s)
            return self._send(method, path, options)

    def _send(self, method: str, path: str, options: Mapping[str, Any]) -> httpx.Response:
        """A break is retried: the server takes an idempotency key once, and of answers the last counts."""
        for delay_s in (*RETRY_DELAYS_S, None):
            try:
                with self._http.stream(method, path, **options) as streamed:
                    response = self._read_whole(streamed)
            except httpx.RequestError as error:
                if delay_s is None:
                    raise unreachable(error, self.server) from error
            else:
                if response.is_success:
                    return response
                if delay_s is None or response.status_code not in PASSING_STATUSES:
                    raise refused(response, self.server)
            self._tell("No answer from the server; trying again.")
            time.sleep(delay_s)
        raise AssertionError("the last round returns or raises")

    def _read_whole(self, streamed: httpx.Response) -> httpx.Response:
        """The answer, unless it is longer than any of Assay's. Raises ServerNotUnderstood."""
        self._refuse_compressed(streamed)
        content = bytearray()
        for chunk in streamed.iter_bytes():
            content += chunk
            if len(content) > ANSWER_BYTES_MAX:
                raise self._not_understood()
        return httpx.Response(streamed.status_code, headers=streamed.headers, content=bytes(content))

    def _refuse_compressed(self, response: httpx.Response) -> None:
        """We ask for none: a few bytes could become more than this machine holds."""
        if response.headers.get("Content-Encoding", "identity") != "identity":
            raise self._not_understood()

    def _not_understood(self) -> ServerNotUnderstood:
        return ServerNotUnderstood(
            f"{self.server} sent an answer that this version of `engine` does not understand.",
            "Check the address (`engine login --server URL`), or update: pip install --upgrade assay.",
        )


def _http(server: str, token: str) -> httpx.Client:
    try:
        return httpx.Client(
            base_url=f"{server}/api/v1/",
            headers={"Authorization": f"Bearer {token}", "Accept-Encoding": "identity"},
            timeout=TIMEOUT,
            trust_env=not is_loopback(server),  # a proxy cannot reach this machine's own server
        )
    except httpx.InvalidURL as error:
        raise WrongUsage(f"{server!r} is not a server's address.", f"It looks like {DEFAULT_SERVER}.") from error


def _name(text: str, what: str) -> str:
    if not _NAME.fullmatch(text):
        raise WrongUsage(f"{text!r} is not a valid name for a {what}.", "See `engine history` or `engine challenges`.")
    return text


def _challenge(slug: str, rest: str = "") -> str:
    return f"challenges/{_name(slug, 'challenge')}{rest}"


def _submission(submission_id: str, rest: str = "") -> str:
    return f"submissions/{_name(submission_id, 'submission')}{rest}"


def _leaderboard(assignment: str) -> str:
    course, _, slug = assignment.partition("/")
    return f"courses/{_name(course, 'course')}/assignments/{_name(slug, 'assignment')}/leaderboard"
