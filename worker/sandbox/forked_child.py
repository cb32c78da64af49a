"""A child that a zygote has forked, from outside: the zygote tells how it ended."""

import json
import os
import signal
import socket
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from worker.sandbox.backend import Ended, SandboxError
from worker.sandbox.cgroups import Cgroups
from worker.sandbox.process_child import ProcessChild

# These only end a hang, and are generous to a busy machine: whatever dies is noticed at once.
READY_S = 30.0
REAP_S = 5.0


@dataclass
class ForkedChild(ProcessChild):
    """Owns its descriptors and its control groups."""

    status: socket.socket
    ended: Ended | None = None
    cgroups: Cgroups | None = None
    groups: tuple[Path, ...] = ()
    ready_s: float = READY_S
    end_s: float = REAP_S
    on_close: Callable[[], None] | None = None

    def wait(self) -> Ended:
        """Waits until the zygote has reaped it. Raises SandboxError when it does not."""
        if self.ended is not None:
            return self.ended
        self.status.settimeout(REAP_S)
        try:
            message = self.status.recv(4096)
        except OSError as error:
            raise SandboxError("a child was not reaped") from error
        if not message:
            raise SandboxError("the zygote ended during a session")
        ended = Ended(**json.loads(message), is_untouchable=True)
        if self.cgroups is not None and self.cgroups.was_filled(self.groups):
            ended = replace(ended, out_of_memory=os.waitstatus_to_exitcode(ended.code) == -signal.SIGKILL)
        self.ended = ended
        return ended

    def close(self) -> None:
        self.kill()
        self.close_channels()
        self.status.close()
        if self.cgroups is not None:
            self.cgroups.release(self.groups)
        if self.on_close is not None:
            self.on_close()
