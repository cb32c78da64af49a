"""The runner as a process: how it starts, refuses, comes back and goes."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from pathlib import Path

import pytest
import torch

from grader.guest.execution import Call, Ending, Outcome, SandboxUnavailable
from grader.guest.inspection import SourceRules
from grader.guest.limits import Limits
from grader.guest.submission import Submission
from tests.patience import PATIENCE_S, wait_until
from tests.processes import descendants, is_running, parent_of
from worker.private_runner import private_runner
from worker.runner_client import RunnerClient
from worker.sandbox.framing import Frame, receive_frame
from worker.sandbox.jobs import run_job

PATH = "cs336_basics/layers.py"
GOOD = Submission(PATH, {PATH: b"def f(x): return x\n"})
SLOW = Submission(PATH, {PATH: b"import time\ndef f(x): return x\ndef sleep(x): time.sleep(60)\n"})
CALL = Call("f", "f", {"x": torch.ones(1)})
SLEEP = Call("sleep", "sleep", {"x": torch.ones(1)})


def runner_command(tmp_path: Path, **settings: str) -> "subprocess.CompletedProcess[str]":
    environment = {"PATH": os.environ["PATH"], "ASSAY_RUNNER_SOCKET": str(tmp_path / "socket"), **settings}
    command = [sys.executable, "-P", "-m", "worker.runner"]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE_S, check=False)


def children(pid: int) -> set[int]:
    return {child for child in descendants(pid) if parent_of(child) == pid}


def guests(runner: int) -> Iterator[int]:
    """Processes that live in a pid namespace inside its zygote's: those have a number more than the zygote."""
    for pid in descendants(runner):
        try:
            lines = Path(f"/proc/{pid}/status").read_text().splitlines()
        except OSError:
            continue
        if any(line.startswith("NSpid:") and len(line.split()) >= 4 for line in lines):
            yield pid


def serving_runner(client: RunnerClient) -> int:
    """The runner that serves this client: it was told the client's socket."""
    told = f"ASSAY_RUNNER_SOCKET={client._path}".encode()
    runners = [pid for pid in descendants(os.getpid()) if told in _environment_of(pid)]
    assert len(runners) == 1
    return runners[0]


def _environment_of(pid: int) -> list[bytes]:
    """Nothing of a process that has ended meanwhile."""
    try:
        return Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return []


def test_a_misspelt_setting_stops_it_with_a_sentence(tmp_path: Path) -> None:
    done = runner_command(tmp_path, ASSAY_RUNNER_ZYGOTS="2")
    assert done.returncode == 2
    assert "ASSAY_RUNNER_ZYGOTS is not a setting of the runner" in done.stderr


def test_a_wrong_setting_stops_it_with_a_sentence(tmp_path: Path) -> None:
    done = runner_command(tmp_path, ASSAY_RUNNER_ZYGOTES="many")
    assert done.returncode == 2
    assert "ASSAY_RUNNER_ZYGOTES" in done.stderr


def test_without_a_runner_the_sandbox_is_unavailable(tmp_path: Path) -> None:
    client = RunnerClient(tmp_path / "nobody")
    with pytest.raises(SandboxUnavailable, match="does not answer"):
        client.run(GOOD, [CALL], Limits())
    with pytest.raises(SandboxUnavailable):
        client.inspect(GOOD, SourceRules("f", (), ()))
    with pytest.raises(SandboxUnavailable):
        _ = client.description


def test_a_private_runner_leaves_nothing_behind() -> None:
    with private_runner(imports_ahead="false") as client:
        path = client._path
        assert path.stat().st_mode & 0o777 == 0o600
        assert client.run(GOOD, [CALL], Limits()).ending is Ending.COMPLETED
        started = descendants(serving_runner(client)) | {serving_runner(client)}
        assert len(started) >= 3  # runner, the zygote's parent, zygote
    wait_until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in started))
    assert not path.parent.exists()


def test_a_runner_that_is_killed_takes_its_sandboxes_along() -> None:
    with private_runner(imports_ahead="false") as client:
        has_begun = threading.Event()
        threading.Thread(target=_run_and_ignore, args=(client, has_begun), daemon=True).start()
        assert has_begun.wait(PATIENCE_S)
        runner = serving_runner(client)
        family = descendants(runner)
        os.kill(runner, signal.SIGKILL)
        wait_until(lambda: not any(map(is_running, family)))


def _run_and_ignore(client: RunnerClient, has_begun: threading.Event) -> None:
    try:
        client.run(SLOW, [CALL, SLEEP], Limits(wall_s=60), lambda _: has_begun.set())
    except SandboxUnavailable:
        return


@pytest.mark.parametrize("victims", [children, guests])
def test_who_is_killed_from_outside_is_the_services_fault_and_is_replaced(
    victims: Callable[[int], Iterable[int]],
) -> None:
    with private_runner(imports_ahead="false") as client:

        def kill(_: Outcome) -> None:
            for victim in victims(serving_runner(client)):
                os.kill(victim, signal.SIGKILL)

        with pytest.raises(SandboxUnavailable):
            client.run(SLOW, [CALL, SLEEP], Limits(wall_s=60), kill)
        assert client.run(GOOD, [CALL], Limits()).ending is Ending.COMPLETED


def test_a_submission_cannot_make_its_end_look_like_the_services_fault() -> None:
    """It is the first of its pid namespace, to whom the kernel gives no SIGKILL from inside, nor may it send one."""
    source = b"""
import signal, threading
for send in (signal.raise_signal, lambda number: signal.pthread_kill(threading.get_ident(), number)):
    try:
        send(9)
    except PermissionError:
        pass
"""
    with private_runner(imports_ahead="false") as client:
        execution = client.run(Submission(PATH, {PATH: source + GOOD.files[PATH]}), [CALL], Limits())
    assert execution.ending is Ending.COMPLETED


def test_a_judge_that_hangs_up_in_the_middle_of_a_call_frees_its_place_at_once() -> None:
    endless = Submission(PATH, {PATH: b"while True: pass\n"})
    with private_runner(sessions=1, imports_ahead="false") as client:
        with socket.socket(socket.AF_UNIX) as peer:
            peer.connect(str(client._path))
            peer.sendall(Frame("open", {"limits": asdict(Limits(wall_s=60, cpu_s=60))}).encode())
            peer.sendall(run_job(endless).encode())
            wait_until(lambda: any(_works(guest) for guest in guests(serving_runner(client))))
        started = time.monotonic()
        assert client.run(GOOD, [CALL], Limits()).ending is Ending.COMPLETED
        assert time.monotonic() - started < 30  # the endless one had a minute


def _works(pid: int) -> bool:
    """Whether it has used some of a processor: a child that waits for its job has not."""
    try:
        user_ticks = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11])
    except OSError:
        return False
    return user_ticks > os.sysconf("SC_CLK_TCK") // 10


def test_too_many_sessions_wait_for_their_turn() -> None:
    with private_runner(sessions=1, imports_ahead="false") as client:
        endings: list[Ending] = []
        threads = [
            threading.Thread(target=lambda: endings.append(client.run(GOOD, [CALL], Limits()).ending)) for _ in range(6)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert endings == [Ending.COMPLETED] * 6


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"\0",
        b"GET / HTTP/1.1\r\n\r\n",
        b"\xff" * 64,
        Frame("open", {"limits": 3}).encode(),
        Frame("nosuch").encode(),
    ],
    ids=["nothing", "one byte", "HTTP", "ones", "wrong limits", "unknown kind"],
)
def test_a_client_that_talks_nonsense_disturbs_nobody(runner: RunnerClient, sent: bytes) -> None:
    with socket.socket(socket.AF_UNIX) as peer:
        peer.connect(str(runner._path))
        peer.sendall(sent)
        peer.shutdown(socket.SHUT_WR)
        peer.settimeout(60)
        try:
            answer = receive_frame(peer)
            assert answer is None or answer.kind == "unavailable"
        except ConnectionResetError:
            pass
    assert runner.run(GOOD, [CALL], Limits()).ending is Ending.COMPLETED
