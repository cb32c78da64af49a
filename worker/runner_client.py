"""The judge's end of the runner's socket: an `Executor` for learners' code. What it receives it does not trust."""

import json
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from grader.execution import (
    Call,
    CallStatus,
    Ending,
    Execution,
    OnOutcome,
    Outcome,
    Problem,
    SandboxUnavailable,
    ignore_outcome,
)
from grader.inspection import Inspection, Refusal, SourceRules
from grader.limits import Limits
from grader.submission import Submission
from worker.sandbox.frames import decode_outcome, decode_problem, encode_call
from worker.sandbox.framing import Frame, MalformedFrameError, receive_frame, split
from worker.sandbox.jobs import inspect_job, run_job

INSPECTION_LIMITS = Limits(wall_s=10.0, cpu_s=2.0, memory_bytes=256 << 20, processes=1, output_bytes=4 << 20)
UNREADABLE = Refusal("The file could not be read as Python: the parser gave up (too deeply nested or too large)")
_CONNECT_S = 10.0
_SLACK_S = 60.0  # waiting for a place, for a zygote that restarts, for a killed child to be gone


@dataclass(frozen=True)
class _End:
    """How the runner says a session ended."""

    ending: Ending
    detail: str
    log: str
    wall_s: float
    peak_memory_bytes: int


class RunnerClient:
    """Runs submissions in the sandbox of the runner that serves on `path`. One connection for each session."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @cached_property
    def description(self) -> str:
        with self._connection(_CONNECT_S) as connection:
            return str(connection.ask(Frame("describe"), "description").fields["text"])

    def inspect(self, submission: Submission, rules: SourceRules) -> Inspection:
        with self._session(INSPECTION_LIMITS) as connection:
            answer = connection.question(inspect_job(submission, rules))
            if isinstance(answer, _End):
                return Inspection(refusal=UNREADABLE)
            try:
                return Inspection.from_json(json.loads(bytes(split(answer.body).body)))
            except (MalformedFrameError, ValueError, KeyError, TypeError):
                return Inspection(refusal=UNREADABLE)

    def run(
        self,
        submission: Submission,
        calls: Sequence[Call],
        limits: Limits,
        on_outcome: OnOutcome = ignore_outcome,
    ) -> Execution:
        with self._session(limits) as connection:
            return _Run(connection, calls, on_outcome).execute(submission)

    @contextmanager
    def _session(self, limits: Limits) -> Iterator["_Connection"]:
        with self._connection(limits.wall_s + _SLACK_S) as connection:
            connection.send(Frame("open", {"limits": asdict(limits)}))
            yield connection

    @contextmanager
    def _connection(self, timeout_s: float) -> Iterator["_Connection"]:
        with socket.socket(socket.AF_UNIX) as peer:
            peer.settimeout(timeout_s)
            try:
                peer.connect(str(self._path))
            except OSError as error:
                raise SandboxUnavailable(f"the runner does not answer on {self._path}: {error}") from error
            yield _Connection(peer)


class _Connection:
    """Frames to and from the runner. Any fault of it is SandboxUnavailable."""

    def __init__(self, peer: socket.socket) -> None:
        self._peer = peer

    def send(self, frame: Frame) -> None:
        try:
            self._peer.sendall(frame.encode())
        except MalformedFrameError as error:  # of our own making, so not the submission's fault
            raise SandboxUnavailable(f"a call that cannot be sent: {error}") from error
        except OSError:  # the runner has hung up: its reason, if it gave one, is there to be read
            return

    def question(self, frame: Frame) -> "Frame | _End":
        """One frame for the child: its answer, or the end of the session."""
        self.send(frame)
        answer = self._receive()
        if answer.kind == "ended":
            return _decode_end(answer)
        if answer.kind != "answer":
            raise SandboxUnavailable(f"the runner sent {answer.kind!r}")
        return answer

    def end(self) -> _End:
        """Have the child killed, and learn what is left to know."""
        return _decode_end(self.ask(Frame("end"), "ended"))

    def ask(self, frame: Frame, expected: str) -> Frame:
        self.send(frame)
        answer = self._receive()
        if answer.kind != expected:
            raise SandboxUnavailable(f"the runner sent {answer.kind!r} and not {expected!r}")
        return answer

    def _receive(self) -> Frame:
        try:
            frame = receive_frame(self._peer)
        except (OSError, MalformedFrameError) as error:
            raise SandboxUnavailable(f"the runner failed: {error}") from error
        if frame is None:
            raise SandboxUnavailable("the runner ended the connection")
        if frame.kind == "unavailable":
            raise SandboxUnavailable(str(frame.fields.get("message")))
        return frame


class _Run:
    """One submission's calls, one after the other: no call is sent before the last one's outcome is here and parsed."""

    def __init__(self, connection: _Connection, calls: Sequence[Call], on_outcome: OnOutcome) -> None:
        self._connection = connection
        self._calls = calls
        self._on_outcome = on_outcome
        self._outcomes: list[Outcome] = []

    def execute(self, submission: Submission) -> Execution:
        try:
            end = self._import(run_job(submission))
            if not isinstance(end, Problem):
                end = end or self._call_all()
        except MalformedFrameError as error:
            return self._execution(self._connection.end(), Ending.PROTOCOL, detail=str(error))
        if isinstance(end, Problem):
            return self._execution(self._connection.end(), Ending.IMPORT_FAILED, problem=end)
        return self._execution(end, end.ending, detail=end.detail)

    def _import(self, job: Frame) -> "_End | Problem | None":
        """None when the module was imported."""
        answer = self._connection.question(job)
        if isinstance(answer, _End):
            return answer
        told = split(answer.body)
        if told.kind == "imported":
            return None
        problem = _decode_import_problem(told)
        if told.kind != "import_failed" or problem is None:
            raise MalformedFrameError("the submission's process sent neither success nor failure of its import")
        return problem

    def _call_all(self) -> _End:
        for call in self._calls:
            answer = self._connection.question(encode_call(call))
            if isinstance(answer, _End):
                return answer
            outcome = decode_outcome(call, split(answer.body), answer.fields["elapsed_s"])
            self._outcomes.append(outcome)
            self._on_outcome(outcome)
        return self._connection.end()

    def _execution(self, end: _End, ending: Ending, *, problem: Problem | None = None, detail: str = "") -> Execution:
        """Outcomes that came back before the end are kept."""
        missing = self._calls[len(self._outcomes) :]
        not_run = tuple(Outcome(call.id, CallStatus.NOT_RUN) for call in missing)
        return Execution(
            ending=ending,
            outcomes=(*self._outcomes, *not_run),
            problem=problem,
            detail=detail,
            log=end.log,
            wall_s=end.wall_s,
            peak_memory_bytes=end.peak_memory_bytes,
        )


def _decode_import_problem(told: Frame) -> Problem | None:
    try:
        return decode_problem(told.fields.get("problem"))
    except (KeyError, TypeError) as error:
        raise MalformedFrameError("a problem with a missing or mistyped field") from error


def _decode_end(frame: Frame) -> _End:
    """The runner's words are ours, not the submission's; a word that we do not know is a fault of the service."""
    fields: dict[str, Any] = dict(frame.fields)
    try:
        stop = fields["stop"]
        return _End(
            ending=Ending.COMPLETED if stop == "finished" else Ending(stop),
            detail=fields["detail"],
            log=bytes(frame.body).decode("utf-8", "replace"),
            wall_s=fields["wall_s"],
            peak_memory_bytes=fields["peak_memory_bytes"],
        )
    except (KeyError, ValueError) as error:
        raise SandboxUnavailable(f"the runner ended a session in a way that is not known: {error}") from error
