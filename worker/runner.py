"""The runner: a process of its own that owns the sandbox and serves it on a Unix socket. Holds no secret and no torch.

One connection is one session. It relays frames between the judge and a child, and looks into none of them.
"""

import logging
import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import Any, NoReturn

from pydantic import BaseModel, Field, ValidationError

from grader.alive import Heartbeat
from grader.guest.limits import Limits, Usage
from worker.process_settings import Device, ProcessSettingsError
from worker.runner_settings import RunnerSettings
from worker.sandbox.backend import CHECK_LIMITS, Child, Isolation, SandboxError
from worker.sandbox.framing import BODY_BYTES, HEADER_BYTES, Frame, MalformedFrameError, receive_frame
from worker.sandbox.scheduling import weigh_session_as_process
from worker.sandbox.supervisor import AbandonedError, Answer, Session, SessionOverError
from worker.sandboxes import gpu_for, sandbox_for
from worker.selftest import check_isolation, resting_bytes
from worker.socket_path import short_enough

_OPEN_S = 10.0  # from connecting to the first frame
_SESSIONS_ON_GPU = 2  # the submission's and the plain answer's, in turns
_IDLE_S = 300.0  # the judge compares and thinks between calls
_log = logging.getLogger(__name__)


class RequestedLimits(BaseModel, extra="forbid", frozen=True):
    """What a judge may ask for."""

    wall_s: float = Field(gt=0, le=600)
    cpu_s: float = Field(gt=0, le=3600)
    call_cpu_s: float = Field(gt=0, le=3600)
    memory_bytes: int = Field(ge=1 << 20, le=1 << 40)
    processes: int = Field(ge=1, le=1024)
    tmp_bytes: int = Field(ge=4096, le=1 << 32)
    output_bytes: int = Field(ge=4096, le=BODY_BYTES - 2 * HEADER_BYTES)  # a frame must fit into an answer's body
    log_bytes: int = Field(ge=0, le=16 << 20)


class Runner:
    """Serves sessions until it is stopped."""

    def __init__(self, settings: RunnerSettings) -> None:
        self._settings = settings
        self._gpu = gpu_for(settings)
        self._sandbox = sandbox_for(settings, self._gpu)
        at_a_time = _SESSIONS_ON_GPU if self._gpu else 2 * len(os.sched_getaffinity(0))
        self._places = threading.BoundedSemaphore(settings.sessions or at_a_time)
        self._resting_bytes: int | None = None

    def run(self) -> None:
        """Serve for ever. Raises SandboxError, before anything is served, when it is not safe to."""
        try:
            self._sandbox.start(self._check)
            self._require(self._settings.require_isolation)
            self._resting_bytes = resting_bytes(self._sandbox.child(CHECK_LIMITS))
            with _listen(self._settings.socket) as listener:
                threading.Thread(target=self._accept, args=(listener,), daemon=True).start()
                self._sandbox.tend(Heartbeat(self._settings.alive_folder, "sandbox").beat)
        finally:
            self._sandbox.stop()
            self._settings.socket.unlink(missing_ok=True)

    def _check(self, child: Child) -> None:
        check_isolation(child, self._sandbox.gaps)

    def _require(self, level: Isolation) -> None:
        given = self._sandbox.isolation
        if not given.is_at_least(level):
            raise SandboxError(
                f"The isolation here is {given.value!r}, and {level.value!r} is required. `assay doctor` says which "
                f"layer is missing, and why; --require-isolation {given.value} does with what there is."
            )

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                judge, _ = listener.accept()
            except OSError:  # closed: the runner is stopping
                return
            threading.Thread(target=self._serve, args=(judge,), daemon=True).start()

    def _serve(self, judge: socket.socket) -> None:
        """One connection. Whatever the judge's side does wrong ends this session and no other."""
        with judge:
            try:
                judge.settimeout(_OPEN_S)
                self._open(judge)
            except (OSError, MalformedFrameError, AbandonedError, SandboxError) as error:
                _log.info("session_dropped: %r", error)

    def _open(self, judge: socket.socket) -> None:
        request = receive_frame(judge)
        if request is None:
            return
        if request.kind == "describe":
            judge.sendall(Frame("description", {"text": self._sandbox.description, "device": self._device()}).encode())
            return
        try:
            limits = Limits(**RequestedLimits.model_validate(request.fields.get("limits")).model_dump())
        except ValidationError as error:
            judge.sendall(_unavailable(f"limits that cannot be given: {error}"))
            return
        if not self._places.acquire(timeout=self._settings.queue_s):
            judge.sendall(_unavailable("every place in the sandbox is taken"))
            return
        try:
            self._session(judge, limits)
        except SandboxError as error:
            _log.warning("session_lost: %s", error)
            judge.sendall(_unavailable(str(error)))
        finally:
            self._places.release()

    def _device(self) -> dict[str, Any] | None:
        """What `RunnerClient.device` reads."""
        if self._gpu is None:
            return None
        free_bytes = self._gpu.total_bytes - self._gpu.used_bytes()
        return {"kind": Device.CUDA, "name": self._gpu.name, "free_bytes": free_bytes}

    def _session(self, judge: socket.socket, limits: Limits) -> None:
        session = Session(self._sandbox.child(limits), self._resting_bytes, judge)
        with ExitStack() as undo:  # the child must not outlive its session
            undo.callback(session.abandon)
            session.await_ready()
            judge.settimeout(_IDLE_S)
            self._relay(judge, session)
            undo.pop_all()
        judge.sendall(_ended(session))

    def _relay(self, judge: socket.socket, session: Session) -> None:
        """Questions in, answers out, until the judge has enough or the child is at its end."""
        while True:
            question = receive_frame(judge)
            if question is None:
                raise AbandonedError
            if question.kind == "end":
                return
            if question.kind == "usage":
                judge.sendall(_usage(session.usage()))
                continue
            try:
                for answer in _answers(session, question):
                    judge.sendall(Frame("answer", {"elapsed_s": answer.elapsed_s}, answer.raw).encode())
            except SessionOverError:
                return


def main() -> int:
    """`assay runner`. Exit code 2: the settings are wrong; 3: this machine does not give the isolation asked for."""
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s %(message)s")
    weigh_session_as_process()
    try:
        settings = RunnerSettings.from_environment()
        signal.signal(signal.SIGTERM, _exit)
        if settings.end_with_stdin:
            threading.Thread(target=_exit_with_stdin, daemon=True).start()
        Runner(settings).run()
    except ProcessSettingsError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    except (SandboxError, OSError, ImportError) as error:
        sys.stderr.write(f"{error}\n")
        return 3
    except KeyboardInterrupt:
        return 0
    return 0


def _exit(*_: object) -> NoReturn:
    """Ends the main thread, which stops the zygotes on its way out."""
    sys.exit(0)


def _exit_with_stdin() -> None:
    while os.read(0, 4096):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


def _listen(path: Path) -> socket.socket:
    """Listens for the owner alone. A socket that a killed runner left behind is replaced; a living one is not."""
    if path.is_socket():
        with socket.socket(socket.AF_UNIX) as probe, short_enough(path) as address:
            if probe.connect_ex(address) == 0:
                raise OSError(f"another runner is serving on {path}: stop it, or choose another socket")
        path.unlink()
    listener = socket.socket(socket.AF_UNIX)
    previous = os.umask(0o177)
    try:
        with short_enough(path) as address:
            listener.bind(address)
    finally:
        os.umask(previous)
    listener.listen(64)
    return listener


def _answers(session: Session, question: Frame) -> Iterator[Answer]:
    """Several frames come as the body of one: the child gets them at once, and answers one by one."""
    if question.kind == "several":
        return session.exchange_many(bytes(question.body), _count(question))
    return iter([session.exchange(question.encode())])


def _count(question: Frame) -> int:
    count = question.fields.get("count")
    if type(count) is not int or count < 1:
        raise MalformedFrameError("several frames, and not how many")
    return count


def _usage(used: Usage | None) -> bytes:
    """Without fields where nobody counts."""
    return Frame("answer", {} if used is None else asdict(used)).encode()


def _ended(session: Session) -> bytes:
    report = session.end()
    fields: dict[str, Any] = {
        "ending": report.cause.ending,
        "detail": report.cause.detail,
        "wall_s": report.wall_s,
        "peak_memory_bytes": report.peak_memory_bytes,
        "log_bytes": report.log_bytes,
    }
    return Frame("ended", fields, report.log).encode()


def _unavailable(message: str) -> bytes:
    return Frame("unavailable", {"message": message[:1000]}).encode()


if __name__ == "__main__":
    sys.exit(main())
