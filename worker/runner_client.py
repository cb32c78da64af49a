"""The judge's end of the runner's socket: an `Executor` for learners' code. What it receives it does not trust."""

import json
import socket
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from grader.guest.execution import (
    Call,
    CallStatus,
    Device,
    End,
    Ending,
    Executor,
    Outcome,
    Problem,
    SandboxUnavailable,
    Session,
)
from grader.guest.inspection import Inspection, Refusal, SourceRules
from grader.guest.limits import Limits, Usage
from grader.guest.submission import Submission
from worker.sandbox.deadline import LATE
from worker.sandbox.frames import decode_outcome, decode_problem, encode_call
from worker.sandbox.framing import Frame, MalformedFrameError, next_frame, split
from worker.sandbox.jobs import inspect_job, run_job
from worker.socket_path import short_enough

UNREADABLE = Refusal("The file could not be read as Python: the parser gave up (too deeply nested or too large)")
_CONNECT_S = 10.0
_SLACK_S = 150.0  # waiting for a place, for a zygote that restarts, for a killed child to be gone


class RunnerClient(Executor):
    """Runs submissions in the sandbox of the runner that serves on `path`. One connection for each session."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._endings: Counter[Ending] = Counter()

    @cached_property
    def description(self) -> str:
        """What the runner's sandbox is and which layers are in force, for reports. Raises SandboxUnavailable."""
        return str(self._described(_CONNECT_S)["text"])

    def answers(self, timeout_s: float) -> bool:
        """Whether the runner is there, and says so in time."""
        try:
            self._described(timeout_s)
        except SandboxUnavailable:
            return False
        return True

    @property
    def device(self) -> Device | None:
        """The GPU that its sandboxes have, if any, and how much of it is free now."""
        told = self._described(_CONNECT_S)["device"]
        return None if told is None else Device(**told)

    def _described(self, timeout_s: float) -> Mapping[str, Any]:
        with self._connection(timeout_s) as connection:
            return connection.ask(Frame("describe"), "description").fields

    @contextmanager
    def open(self, submission: Submission, limits: Limits) -> Iterator[Session]:
        with self._connection(limits.wall_s + _SLACK_S) as connection:
            connection.send(Frame("open", {"limits": asdict(limits)}))
            session = _Session(connection, submission)
            yield session
            self._endings[session.ending] += 1

    def take_endings(self) -> dict[str, int]:
        """How many sessions ended how, since this was asked last."""
        taken, self._endings = self._endings, Counter()
        return {ending.value: count for ending, count in taken.items()}

    @contextmanager
    def _connection(self, timeout_s: float) -> Iterator["_Connection"]:
        with socket.socket(socket.AF_UNIX) as peer:
            peer.settimeout(timeout_s)
            try:
                with short_enough(self._path) as address:
                    peer.connect(address)
            except OSError as error:
                raise SandboxUnavailable(f"the runner does not answer on {self._path}: {error}") from error
            yield _Connection(peer)


class _Connection:
    """Frames to and from the runner. Any fault of it is SandboxUnavailable."""

    def __init__(self, peer: socket.socket) -> None:
        self._peer = peer
        self._answers = peer.makefile("rb")  # small ones come several at a time

    def send(self, frame: Frame) -> None:
        try:
            self._peer.sendall(frame.encode())
        except MalformedFrameError as error:  # of our own making, so not the submission's fault
            raise SandboxUnavailable(f"a call that cannot be sent: {error}") from error
        except OSError:  # the runner has hung up: its reason, if it gave one, is there to be read
            return

    def answer(self) -> "Frame | End":
        """The child's answer to a frame that was sent, or the end of the session."""
        answer = self._receive()
        if answer.kind == "ended":
            return _decode_end(answer)
        if answer.kind != "answer":
            raise SandboxUnavailable(f"the runner sent {answer.kind!r}")
        return answer

    def end(self) -> End:
        """Have the child killed, and learn what is left to know. Answers that nobody waited for are passed over."""
        self.send(Frame("end"))
        while isinstance(told := self.answer(), Frame):
            pass
        return told

    def ask(self, frame: Frame, expected: str) -> Frame:
        self.send(frame)
        answer = self._receive()
        if answer.kind != expected:
            raise SandboxUnavailable(f"the runner sent {answer.kind!r} and not {expected!r}")
        return answer

    def _receive(self) -> Frame:
        try:
            frame = next_frame(self._answers)
        except (OSError, MalformedFrameError) as error:
            raise SandboxUnavailable(f"the runner failed: {error}") from error
        if frame is None:
            raise SandboxUnavailable("the runner ended the connection")
        if frame.kind == "unavailable":
            raise SandboxUnavailable(str(frame.fields.get("message")))
        return frame


class _Session(Session):
    """A session over one connection."""

    def __init__(self, connection: _Connection, submission: Submission) -> None:
        self._connection = connection
        self._submission = submission
        self._end: End | None = None

    @property
    def ending(self) -> Ending:
        return Ending.COMPLETED if self._end is None else self._end.ending

    def inspect(self, rules: SourceRules) -> Inspection:
        try:
            answer = self._question(inspect_job(self._submission, rules))
            if answer is not None:
                return Inspection.from_json(json.loads(bytes(split(answer.body).body)))
        except (MalformedFrameError, ValueError, KeyError, TypeError) as error:
            self._stop(Ending.PROTOCOL, detail=str(error))
        return Inspection(refusal=UNREADABLE)

    def load(self) -> None:
        try:
            answer = self._question(run_job(self._submission))
            if answer is None:
                return
            told = split(answer.body)
            if told.kind == "imported" or self._is_late(told):
                return
            problem = _decode_problem(told)
            if told.kind != "import_failed" or problem is None:
                raise MalformedFrameError("the submission's process sent neither success nor failure of its import")
            self._stop(Ending.IMPORT_FAILED, problem=problem)
        except MalformedFrameError as error:
            self._stop(Ending.PROTOCOL, detail=str(error))

    def calls(self, calls: Sequence[Call]) -> Iterator[Outcome]:
        if calls and self._end is None:
            self._connection.send(_several(calls))
        return map(self._outcome, calls)

    def _outcome(self, call: Call) -> Outcome:
        try:
            answer = self._answer()
            if answer is not None:
                told = split(answer.body)
                if self._is_late(told):
                    return Outcome(call.id, CallStatus.NOT_RUN)
                return decode_outcome(call, told, answer.fields["elapsed_s"])
        except MalformedFrameError as error:
            self._stop(Ending.PROTOCOL, detail=str(error))
        return Outcome(call.id, CallStatus.NOT_RUN)

    def usage(self) -> Usage | None:
        answer = self._question(Frame("usage"))
        if answer is None or not answer.fields:
            return None
        used: Any = answer.fields
        return Usage(**used)

    def end(self) -> End:
        if self._end is None:
            self._end = self._connection.end()
        return self._end

    def _question(self, frame: Frame) -> Frame | None:
        """None when the session is over."""
        if self._end is None:
            self._connection.send(frame)
        return self._answer()

    def _answer(self) -> Frame | None:
        """None when the session is over."""
        if self._end is not None:
            return None
        answer = self._connection.answer()
        if isinstance(answer, Frame):
            return answer
        self._end = answer
        return None

    def _is_late(self, told: Frame) -> bool:
        """Whether it has ended itself for its use of the processor; the rest of what it says is where it was."""
        if told.kind != LATE:
            return False
        self._stop(Ending.OUT_OF_TIME, problem=_decode_problem(told))
        return True

    def _stop(self, ending: Ending, *, problem: Problem | None = None, detail: str = "") -> None:
        """It lives, and has said what ends it."""
        self._end = replace(self._connection.end(), ending=ending, problem=problem, detail=detail)


def _several(calls: Sequence[Call]) -> Frame:
    """All of them in one: the child reads them one after the other, and nobody waits in between."""
    try:
        return Frame("several", {"count": len(calls)}, b"".join(encode_call(call).encode() for call in calls))
    except MalformedFrameError as error:
        raise SandboxUnavailable(f"a call that cannot be sent: {error}") from error


def _decode_problem(told: Frame) -> Problem | None:
    try:
        return decode_problem(told.fields.get("problem"))
    except (KeyError, TypeError) as error:
        raise MalformedFrameError("a problem with a missing or mistyped field") from error


def _decode_end(frame: Frame) -> End:
    """The runner's words are ours, not the submission's; a word that we do not know is a fault of the service."""
    fields: dict[str, Any] = dict(frame.fields)
    try:
        return End(
            ending=Ending(fields["ending"]),
            detail=fields["detail"],
            log=bytes(frame.body).decode("utf-8", "replace"),
            wall_s=fields["wall_s"],
            peak_memory_bytes=fields["peak_memory_bytes"],
        )
    except (KeyError, ValueError) as error:
        raise SandboxUnavailable(f"the runner ended a session in a way that is not known: {error}") from error
