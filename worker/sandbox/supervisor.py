"""One session from outside: hands frames to a child, bounds time and bytes, kills it, and says how it ended.

Looks into no frame: a child's answer is bytes of a known length, which the judge decodes.
"""

import os
import select
import socket
import time
from dataclasses import dataclass

from worker.sandbox.ending import Cause, Stop, classify
from worker.sandbox.framing import HEADER_BYTES, PREFIX
from worker.sandbox.nursery import Child, ZygoteError

_CHUNK_BYTES = 1 << 20
_LOG_LIMIT_BYTES = 64 << 20  # beyond it a flood is no longer worth reading
_EXIT_GRACE_S = 0.5
_READY_S = 10.0


@dataclass(frozen=True)
class Answer:
    """A whole frame as the child sent it, and how long it took from the first byte of the question."""

    raw: bytes
    elapsed_s: float


@dataclass(frozen=True)
class Report:
    """What is left to say when the child is gone."""

    cause: Cause
    log: bytes
    log_bytes: int  # all that it wrote; `log` is the beginning
    wall_s: float
    peak_memory_bytes: int


class SessionOverError(Exception):
    """The child ended, or was ended, before it answered."""

    def __init__(self, cause: Cause) -> None:
        super().__init__(cause.detail)
        self.cause = cause


class AbandonedError(Exception):
    """The judge has hung up: nobody waits for the answer."""


class Session:
    """Owns one child from its birth to its end. Time counts only while the child owes an answer."""

    def __init__(self, child: Child, resting_bytes: int = 0, judge: socket.socket | None = None) -> None:
        self._child = child
        self._limits = child.limits
        self._resting_bytes = resting_bytes
        self._wall_left_s = child.limits.wall_s
        self._output_left = child.limits.output_bytes
        self._log = bytearray()
        self._log_bytes = 0
        self._cause: Cause | None = None
        self._poll = select.poll()
        self._poll.register(child.result_fd, select.POLLIN)
        self._poll.register(child.log_fd, select.POLLIN)
        self._judge_fd = -1
        if judge is not None:
            self._judge_fd = judge.fileno()
            self._poll.register(self._judge_fd, select.POLLRDHUP)

    def await_ready(self) -> None:
        """Until the child is confined. Raises ZygoteError when it cannot be: never a submission's fault."""
        try:
            self._receive(memoryview(b""), time.monotonic() + _READY_S)
        except SessionOverError as error:
            raise ZygoteError(f"a child could not be confined: {error}") from error

    def exchange(self, question: bytes) -> Answer:
        """Send one frame and get one back. Raises SessionOverError, or AbandonedError when the judge hangs up."""
        if self._cause is not None:
            raise SessionOverError(self._cause)
        self._refuse_early_answer()
        started = time.monotonic()
        try:
            raw = self._receive(memoryview(question), started + self._wall_left_s)
        finally:
            elapsed_s = time.monotonic() - started
            self._wall_left_s -= elapsed_s
        self._output_left -= len(raw)
        return Answer(raw, elapsed_s)

    def end(self) -> Report:
        """Kill what is left, wait until it is reaped, close everything. Raises ZygoteError when the zygote is gone."""
        if self._cause is None:
            self._stop(Stop.FINISHED)
        assert self._cause is not None
        try:
            ended = self._child.wait()
            self._drain_log()
        finally:
            self._child.close()
        return Report(
            cause=self._cause,
            log=bytes(self._log),
            log_bytes=self._log_bytes,
            wall_s=self._limits.wall_s - self._wall_left_s,
            peak_memory_bytes=max(0, ended.peak_bytes - self._resting_bytes),
        )

    def abandon(self) -> None:
        """End it when nobody wants the report any more. Never raises: the child dies with its zygote at the latest."""
        try:
            self.end()
        except ZygoteError:
            return

    def _stop(self, stop: Stop, detail: str = "") -> Cause:
        self._cause = Cause(stop, detail)
        self._child.kill()
        return self._cause

    def _refuse_early_answer(self) -> None:
        """An answer that is there before its question is forged."""
        waiting = select.poll()
        waiting.register(self._child.result_fd, select.POLLIN)
        if any(events & select.POLLIN for _, events in waiting.poll(0)):
            raise SessionOverError(self._stop(Stop.PROTOCOL, "it sent an answer before it was asked"))

    def _receive(self, question: memoryview, deadline: float) -> bytes:
        if question:
            self._poll.register(self._child.job_fd, select.POLLOUT)
        answer = bytearray()
        try:
            while not self._is_complete(answer):
                left_s = deadline - time.monotonic()
                if left_s <= 0:
                    what = f"it did not finish within {self._limits.wall_s:g} s"
                    raise SessionOverError(self._stop(Stop.OUT_OF_TIME, what))
                for fd, _ in self._poll.poll(left_s * 1000 + 1):
                    if fd == self._child.job_fd:
                        question = self._write_some(question)
                    elif fd == self._child.result_fd:
                        self._read_some(answer)
                    elif fd == self._child.log_fd:
                        self._read_log()
                    else:
                        self._stop(Stop.FINISHED)
                        raise AbandonedError
        finally:
            if question:
                self._poll.unregister(self._child.job_fd)
        if question:
            raise SessionOverError(self._stop(Stop.PROTOCOL, "it answered before it had read the question"))
        return bytes(answer)

    def _is_complete(self, answer: bytearray) -> bool:
        """Checks the sizes as soon as they are known: nothing beyond the budget is ever kept."""
        if len(answer) < PREFIX.size:
            return False
        header_bytes, body_bytes = PREFIX.unpack_from(answer)
        total = PREFIX.size + header_bytes + body_bytes
        if header_bytes > HEADER_BYTES:
            raise SessionOverError(self._stop(Stop.PROTOCOL, "it sent something that is not a frame"))
        if total > self._output_left:
            limit = f"its results are larger than {self._limits.output_bytes:,} bytes in all"
            raise SessionOverError(self._stop(Stop.OUTPUT_TOO_LARGE, limit))
        if len(answer) > total:
            raise SessionOverError(self._stop(Stop.PROTOCOL, "it sent more than one answer"))
        return len(answer) == int(total)

    def _write_some(self, question: memoryview) -> memoryview:
        try:
            written = os.write(self._child.job_fd, question[:_CHUNK_BYTES])
        except BlockingIOError:
            return question
        except BrokenPipeError:  # it has closed its end; whether it still answers is seen on the other pipe
            written = len(question)
        if written == len(question):
            self._poll.unregister(self._child.job_fd)
        return question[written:]

    def _read_some(self, answer: bytearray) -> None:
        try:
            data = os.read(self._child.result_fd, _CHUNK_BYTES)
        except BlockingIOError:
            return
        if not data:
            raise SessionOverError(self._cause_of_silence())
        answer += data

    def _cause_of_silence(self) -> Cause:
        """Its result channel is closed: it is ending, or it has closed the channel and goes on."""
        waiting = select.poll()
        waiting.register(self._child.pidfd, select.POLLIN)
        if not waiting.poll(_EXIT_GRACE_S * 1000):
            return self._stop(Stop.PROTOCOL, "it closed its result channel")
        self._cause = classify(self._child.wait(), self._limits, self._resting_bytes)
        return self._cause

    def _read_log(self) -> None:
        try:
            data = os.read(self._child.log_fd, _CHUNK_BYTES)
        except BlockingIOError:
            return
        if not data:
            self._poll.unregister(self._child.log_fd)
        self._log_bytes += len(data)
        self._log += data[: max(0, self._limits.log_bytes - len(self._log))]
        if self._log_bytes > _LOG_LIMIT_BYTES:
            what = f"it printed more than {_LOG_LIMIT_BYTES >> 20} MiB"
            raise SessionOverError(self._stop(Stop.OUTPUT_TOO_LARGE, what))

    def _drain_log(self) -> None:
        """What is in the pipe when the child is gone; the pipe bounds it."""
        try:
            while data := os.read(self._child.log_fd, _CHUNK_BYTES):
                self._log_bytes += len(data)
                self._log += data[: max(0, self._limits.log_bytes - len(self._log))]
        except BlockingIOError:
            return
