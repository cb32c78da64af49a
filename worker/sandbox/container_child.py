"""One container as a child: three streams that lead into and out of it, and how it ended as the daemon tells."""

import logging
import os
import socket
import threading
import time
from contextlib import ExitStack
from typing import Any

from docker.errors import APIError, DockerException
from requests.exceptions import RequestException

from grader.guest.limits import Limits, Usage
from worker.sandbox.attached import AttachedStream
from worker.sandbox.backend import Ended, SandboxError

_READY_S = 60.0
_END_S = 10.0  # from a child's last word to the daemon's knowing that it is gone
_SIGNAL_STATUS = 128
_log = logging.getLogger(__name__)


class ContainerChild:
    """A container, and the three streams that lead into and out of it."""

    ready_s = _READY_S
    end_s = _END_S

    def __init__(self, client: Any, container: str, limits: Limits) -> None:
        self.limits = limits
        self._client = client
        self._container = container
        self._started = time.monotonic()
        self._peak_bytes: int | None = None
        self._killer: threading.Thread | None = None
        self._open = ExitStack()
        self._job = self._attached("stdin")
        self.results = AttachedStream(self._attached("stdout"))
        self.log = AttachedStream(self._attached("stderr"))

    @classmethod
    def start(cls, client: Any, configuration: dict[str, Any], limits: Limits) -> "ContainerChild":
        """Attaches to a container before it starts it: nothing that it says is lost."""
        container = client.create_container(**configuration)["Id"]
        with ExitStack() as undo:  # a container that nobody holds would stay
            undo.callback(client.remove_container, container, v=True, force=True)
            child = cls(client, container, limits)
            client.start(container)
            undo.pop_all()
        return child

    @property
    def job_fd(self) -> int:
        return self._job.fileno()

    def starved_s(self) -> float:
        return 0.0  # the daemon does not tell

    def usage(self) -> Usage | None:
        return None  # nor does it tell this as finely as a call of milliseconds needs

    def pause(self) -> None:
        return  # the daemon takes longer over it than a call lasts

    def resume(self) -> None:
        return

    def is_over(self) -> bool:
        try:
            self._client.wait(self._container, timeout=_END_S)
        except (DockerException, RequestException):
            return False
        return True

    def kill(self) -> None:
        """Kills in a thread: the daemon answers only when all that the container has written has been read."""
        self.results.give_up()
        self._killer = threading.Thread(target=self._kill, daemon=True)
        self._killer.start()

    def _kill(self) -> None:
        """The counters go with the container, so they are read before."""
        self._peak_bytes = self._read_peak()
        try:
            self._client.kill(self._container)
        except APIError:  # it has ended by itself
            return
        except (DockerException, RequestException) as error:
            _log.warning("container_not_killed: %s", error)

    def wait(self) -> Ended:
        if self._killer is not None:
            self._killer.join()
        try:
            self._client.wait(self._container, timeout=_END_S)
            state = self._client.inspect_container(self._container)["State"]
        except (DockerException, RequestException) as error:
            raise SandboxError(f"a container did not end: {error}") from error
        return Ended(
            code=_wait_status(state["ExitCode"]),
            cpu_s=time.monotonic() - self._started,  # it has one processor
            peak_bytes=self._peak_bytes,
            out_of_memory=bool(state["OOMKilled"]),
        )

    def close(self) -> None:
        """Removes the container, which kills it. Where the daemon fails, the next start of a runner removes it."""
        self._open.close()
        try:
            self._client.remove_container(self._container, v=True, force=True)
        except (DockerException, RequestException) as error:
            _log.warning("container_left: %s", error)
        self._client.close()

    def _attached(self, stream: str) -> socket.socket:
        """The library's own object is closed, so that the connection is ours alone."""
        answer = self._client.attach_socket(self._container, params={stream: 1, "stream": 1})
        peer = socket.socket(fileno=os.dup(answer.fileno()))
        answer._response.close()
        answer.close()
        peer.setblocking(False)
        self._open.enter_context(peer)
        return peer

    def _read_peak(self) -> int | None:
        """Version 1 of control groups tells it; version 2 does not, through Docker."""
        try:
            memory = self._client.stats(self._container, stream=False, one_shot=True)["memory_stats"]
        except (DockerException, RequestException, KeyError):
            return None
        peak = memory.get("max_usage")
        return int(peak) if peak else None


def _wait_status(exit_code: int) -> int:
    """Turns an exit code of Docker, which tells a signal as 128 and its number, into a wait status."""
    is_signal = _SIGNAL_STATUS < exit_code < _SIGNAL_STATUS + 65
    return exit_code - _SIGNAL_STATUS if is_signal else exit_code << 8
