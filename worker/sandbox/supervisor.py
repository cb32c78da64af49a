"""One session from outside: hands frames to a child, bounds time and bytes, kills it, and says how it ended.

Looks into no frame: a child's answer is bytes of a known length, which the judge decodes.
"""

import os
import select
import socket
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NoReturn

from grader.guest.limits import Ending, Usage
from worker.sandbox.backend import Child, SandboxError
from worker.sandbox.clock import Clock
from worker.sandbox.ending import Cause, classify
from worker.sandbox.framing import HEADER_BYTES, PREFIX

_CHUNK_BYTES = 1 << 20
_LOG_LIMIT_BYTES = 64 << 20  # beyond it a flood is no longer worth reading
_LAST_WORDS_BYTES = 500


@dataclass(frozen=True)
class Answer:
    """A whole frame as the child sent it, and how long it took: from the first byte of the question, or from the answer
    before it.
    """

    raw: bytes
    elapsed_s: float


@dataclass(frozen=True)
class Report:
    """What is left to say when the child is gone."""

    cause: Cause
    log: bytes
    log_bytes: int  # all that it wrote; `log` is the beginning
    wall_s: float  # in which it owed an answer and a processor was free for it, where that is counted
    peak_memory_bytes: int | None  # None where nobody counted it


class SessionOverError(Exception):
    """The child ended, or was ended, before it answered."""

    def __init__(self, cause: Cause) -> None:
        super().__init__(cause.detail)
        self.cause = cause


class AbandonedError(Exception):
    """The judge has hung up: nobody waits for the answer."""


class Session:
    """Owns one child from its birth to its end. Time counts only while the child owes an answer. While it owes none it
    is paused: its threads could slow down the answer that it is timed against.
    """

    def __init__(self, child: Child, resting_bytes: int | None = 0, judge: socket.socket | None = None) -> None:
        self._child = child
        self._limits = child.limits
        self._resting_bytes = resting_bytes
        self._clock = Clock(child)
        self._output_left = child.limits.output_bytes
        self._log = bytearray()
        self._log_bytes = 0
        self._cause: Cause | None = None
        self._question = memoryview(b"")  # what is left to be written of it
        self._received = bytearray()
        self._poll = select.poll()
        self._poll.register(child.results.fileno(), select.POLLIN)
        self._poll.register(child.log.fileno(), select.POLLIN)
        self._judge_fd = -1
        if judge is not None:
            self._judge_fd = judge.fileno()
            self._poll.register(self._judge_fd, select.POLLRDHUP)

    def await_ready(self) -> bytes:
        """Waits for the frame by which the child says that it is confined.

        Raises SandboxError when it cannot be: never a submission's fault.
        """
        try:
            ready = self._receive(time.monotonic() + self._child.ready_s, self._child.ready_s, is_last=True)
        except SessionOverError as error:
            self._drain_log()
            said = self._log[-_LAST_WORDS_BYTES:].decode(errors="replace").strip()
            raise SandboxError(f"a child could not be confined: {error}. {said}") from error
        self._clock.begin()
        return ready

    def exchange(self, question: bytes) -> Answer:
        """Sends one frame and gets one back. Raises as `exchange_many`."""
        return next(self.exchange_many(question, 1))

    def exchange_many(self, questions: bytes, count: int) -> Iterator[Answer]:
        """Sends so many frames at once, and yields the answer of each as it comes.

        Raises SessionOverError, also when the judge has heard enough, or AbandonedError when it hangs up.
        """
        if self._cause is not None:
            raise SessionOverError(self._cause)
        self._refuse_early_answer()
        self._ask(questions)
        for left in reversed(range(count)):
            started = time.monotonic()
            try:
                raw = self._receive(started + self._clock.left_s, self._limits.wall_s, is_last=not left)
            finally:
                elapsed_s = time.monotonic() - started
                self._clock.left_s -= elapsed_s
            self._output_left -= len(raw)
            if not left:
                self._child.pause()
            yield Answer(raw, elapsed_s)

    def usage(self) -> Usage | None:
        """Reads what the child has used so far; nothing of that passes through the child."""
        return self._child.usage()

    def end(self) -> Report:
        """Kills what is left, awaits its end, closes everything. Raises SandboxError when the zygote is gone."""
        if self._cause is None:
            self._stop(Ending.COMPLETED)
        assert self._cause is not None
        try:
            self._drain_log()  # first: a flood that nobody reads may keep a container from ending
            ended = self._child.wait()
        finally:
            self._child.close()
        return Report(
            cause=self._cause,
            log=bytes(self._log),
            log_bytes=self._log_bytes,
            wall_s=self._clock.counted_s(),
            peak_memory_bytes=_above(self._resting_bytes, ended.peak_bytes),
        )

    def abandon(self) -> None:
        """Ends it when nobody wants the report any more. Never raises: the child dies with its zygote at the latest."""
        try:
            self.end()
        except SandboxError:
            return

    def _stop(self, ending: Ending, detail: str = "") -> Cause:
        self._cause = Cause(ending, detail)
        self._clock.stop()
        self._child.kill()
        return self._cause

    def _over(self, ending: Ending, detail: str) -> SessionOverError:
        return SessionOverError(self._stop(ending, detail))

    def _refuse_early_answer(self) -> None:
        """An answer that is there before its question is forged."""
        if self._child.results.has_data():
            raise self._over(Ending.PROTOCOL, "it sent an answer before it was asked")

    def _ask(self, question: bytes) -> None:
        self._question = memoryview(question)
        self._child.resume()
        self._poll.register(self._child.job_fd, select.POLLOUT)
        if self._judge_fd >= 0:  # whatever it says before it has its answers
            self._poll.modify(self._judge_fd, select.POLLIN | select.POLLRDHUP)

    def _receive(self, deadline: float, granted_s: float, *, is_last: bool) -> bytes:
        """The next answer; after the last one there must be nothing left, neither to read nor to write."""
        while (size := self._complete_bytes()) is None:
            left_s = deadline - time.monotonic()
            if left_s <= 0:
                deadline += self._more_time(granted_s)
                continue
            for fd, event in self._poll.poll(left_s * 1000 + 1):
                if fd == self._child.job_fd:
                    self._write_some()
                elif fd == self._child.results.fileno():
                    self._read_some()
                elif fd == self._child.log.fileno():
                    self._read_log()
                else:
                    self._hear_judge(event)
        answer = bytes(memoryview(self._received)[:size])
        del self._received[:size]
        if is_last and self._received:
            raise self._over(Ending.PROTOCOL, "it sent more answers than it was asked for")
        if is_last and self._question:
            raise self._over(Ending.PROTOCOL, "it answered before it had read the question")
        return answer

    def _more_time(self, granted_s: float) -> float:
        if more_s := self._clock.give_back():
            return more_s
        raise self._over(Ending.OUT_OF_TIME, f"it did not finish within {granted_s:g} s")

    def _hear_judge(self, event: int) -> NoReturn:
        """While answers are owed, it either hangs up or has heard enough."""
        cause = self._stop(Ending.COMPLETED)
        raise AbandonedError if event & (select.POLLRDHUP | select.POLLHUP) else SessionOverError(cause)

    def _complete_bytes(self) -> int | None:
        """Returns the size of the next answer when it is there. Checks the sizes as soon as they are known: nothing
        beyond the budget is ever kept.
        """
        if len(self._received) < PREFIX.size:
            return None
        header_bytes, body_bytes = PREFIX.unpack_from(self._received)
        total = PREFIX.size + header_bytes + body_bytes
        if header_bytes > HEADER_BYTES:
            raise self._over(Ending.PROTOCOL, "it sent something that is not a frame")
        if total > self._output_left:
            limit = f"its results are larger than {self._limits.output_bytes:,} bytes in all"
            raise self._over(Ending.OUTPUT_TOO_LARGE, limit)
        return int(total) if len(self._received) >= total else None

    def _write_some(self) -> None:
        try:
            written = os.write(self._child.job_fd, self._question[:_CHUNK_BYTES])
        except BlockingIOError:
            return
        except ConnectionError:  # it has closed its end; whether it still answers is seen on the other pipe
            written = len(self._question)
        self._question = self._question[written:]
        if not self._question:
            self._poll.unregister(self._child.job_fd)

    def _read_some(self) -> None:
        try:
            data = self._child.results.read()
        except BlockingIOError:
            return
        if not data:
            raise SessionOverError(self._cause_of_silence())
        self._received += data

    def _cause_of_silence(self) -> Cause:
        """Its result channel is closed: it is ending, or it has closed the channel and goes on."""
        if not self._child.is_over():
            return self._stop(Ending.PROTOCOL, "it closed its result channel")
        self._cause = classify(self._child.wait(), self._limits, self._resting_bytes)
        return self._cause

    def _read_log(self) -> None:
        try:
            data = self._child.log.read()
        except BlockingIOError:
            return
        if not data:
            self._poll.unregister(self._child.log.fileno())
        self._keep_log(data)
        if self._log_bytes > _LOG_LIMIT_BYTES:
            raise self._over(Ending.OUTPUT_TOO_LARGE, f"it printed more than {_LOG_LIMIT_BYTES >> 20} MiB")

    def _drain_log(self) -> None:
        """What was on its way when the child ended. Its channel bounds how much that can be, and how long it takes."""
        deadline = time.monotonic() + self._child.end_s
        ending = select.poll()
        ending.register(self._child.log.fileno(), select.POLLIN)
        while ending.poll(max(0.0, deadline - time.monotonic()) * 1000):
            try:
                data = self._child.log.read()
            except BlockingIOError:
                continue
            if not data:
                return
            self._keep_log(data)

    def _keep_log(self, data: bytes) -> None:
        self._log_bytes += len(data)
        self._log += data[: max(0, self._limits.log_bytes - len(self._log))]


def _above(resting_bytes: int | None, peak_bytes: int | None) -> int | None:
    return None if resting_bytes is None or peak_bytes is None else max(0, peak_bytes - resting_bytes)
