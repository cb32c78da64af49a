"""`assay up` from start to stop, as an operator and a student live through it. One service for the whole file."""

import json
import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.assay.test_supervisor import is_alive, wait_until

START_S = 60.0
GRADED_S = 60.0


@dataclass
class Up:
    """A running `assay up`."""

    process: "subprocess.Popen[str]"
    data: Path

    @property
    def address(self) -> str:
        return str(json.loads((self.data / "address.json").read_text())["address"])

    def client(self, who: str = "student") -> httpx.Client:
        token = json.loads((self.data / "tokens.json").read_text())[who]
        headers = {"Authorization": f"Bearer {token}"}
        return httpx.Client(base_url=f"{self.address}/api/v1", headers=headers, timeout=10, trust_env=False)

    def pid_of(self, role: str) -> int:
        """The process that `up` started for the role."""
        return next(pid for pid in children_of(self.process.pid) if words_of(pid)[4:5] == [role])

    def family(self) -> set[int]:
        """All descendants."""
        found: set[int] = set()
        waiting = [self.process.pid]
        while waiting:
            inner = set(children_of(waiting.pop())) - found
            found |= inner
            waiting.extend(inner)
        return found


def children_of(pid: int) -> list[int]:
    try:
        return [
            int(child)
            for task in Path(f"/proc/{pid}/task").iterdir()
            for child in (task / "children").read_text().split()
        ]
    except FileNotFoundError:
        return []


def words_of(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/cmdline").read_bytes().decode().split("\0")


def start(data: Path, *options: str) -> Up:
    command = [sys.executable, "-P", "-m", "assay", "up", "--data-dir", str(data), "--port", "0", "--workers", "1"]
    process = subprocess.Popen([*command, *options], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    up = Up(process, data)
    deadline = time.monotonic() + START_S
    while not (data / "address.json").exists():
        if process.poll() is not None or time.monotonic() > deadline:
            process.terminate()
            pytest.fail(f"it did not come up:\n{process.communicate()[0]}")
        time.sleep(0.05)
    return up


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("up") / "data"


@pytest.fixture(scope="module")
def up(data: Path) -> Iterator[Up]:
    running = start(data)
    yield running
    running.process.terminate()
    running.process.communicate(timeout=40)


def submit(client: httpx.Client, source: bytes) -> dict[str, Any]:
    response = client.post("/submissions", files={"file": ("layers.py", source)}, data={"challenge": "mha-rope"})
    assert response.status_code == 202, response.text
    submission: dict[str, Any] = response.json()
    return submission


def in_state(client: httpx.Client, submission: dict[str, Any], state: str) -> dict[str, Any]:
    deadline = time.monotonic() + GRADED_S
    while time.monotonic() < deadline:
        found: dict[str, Any] = client.get(f"/submissions/{submission['id']}").json()
        if found["state"] == state:
            return found
        time.sleep(0.05)
    pytest.fail(f"not {state} in time: {found}")


def test_tokens_and_secrets_are_for_the_owner_only(up: Up) -> None:
    for name in (
        "tokens.json",
        "secrets.json",
        "address.json",
        "redis/redis.conf",
        "redis/users.acl",
        "receipt-key.pem",
    ):
        assert stat.S_IMODE((up.data / name).stat().st_mode) == 0o600
    assert stat.S_IMODE(up.data.stat().st_mode) == 0o700


def test_the_runner_knows_no_secret_and_the_worker_no_database(up: Up) -> None:
    def environment(role: str) -> dict[str, str]:
        text = Path(f"/proc/{up.pid_of(role)}/environ").read_bytes().decode()
        return dict(line.split("=", 1) for line in text.split("\0") if line)

    def told(role: str) -> set[str]:
        return set(environment(role))

    assert {name for name in told("runner") if name.startswith("ASSAY")} == {
        "ASSAY_RUNNER_SOCKET",
        "ASSAY_RUNNER_REQUIRE_ISOLATION",
    }
    assert "ASSAY_DATABASE_URL" not in told("worker")
    assert "ASSAY_SECRET_KEY" not in told("worker") | told("recorder")
    assert [role for role in ("api", "recorder", "worker") if "ASSAY_RECEIPT_KEY_FILE" in told(role)] == ["recorder"]
    assert "assay.db" not in str(environment("worker"))
    assert environment("worker")["ASSAY_WORKER_REDIS_URL"].startswith("redis://worker:")
    assert environment("recorder")["ASSAY_REDIS_URL"].startswith("redis://recorder:")
    assert environment("api")["ASSAY_REDIS_URL"].startswith("redis://api:")


def test_no_password_stands_on_a_command_line(up: Up) -> None:
    password = json.loads((up.data / "secrets.json").read_text())["redis_password"]
    assert not [pid for pid in up.family() if any(password in word for word in words_of(pid))]


def test_a_right_submission_passes(up: Up, examples: Path) -> None:
    with up.client() as client:
        graded = in_state(client, submit(client, (examples / "correct.py").read_bytes()), "graded")
    assert graded["verdict"] == "passed"


def test_a_second_up_on_the_same_folder_says_where_the_first_is(up: Up) -> None:
    command = [sys.executable, "-m", "assay", "up", "--data-dir", str(up.data), "--port", "0"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert up.address in done.stderr


def test_a_port_that_is_taken_is_told_in_a_sentence(up: Up, tmp_path: Path) -> None:
    port = up.address.rpartition(":")[2]
    command = [sys.executable, "-m", "assay", "up", "--data-dir", str(tmp_path / "other"), "--port", port]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode == 1
    assert "--port 0" in done.stderr


def test_a_front_end_that_dies_comes_back_at_the_same_address(up: Up) -> None:
    address = up.address
    os.kill(up.pid_of("api"), signal.SIGKILL)
    # The listening socket is the supervisor's: this request waits for the next process instead of being refused.
    assert httpx.get(f"{address}/healthz", timeout=20, trust_env=False).status_code == 200


def test_a_worker_killed_in_the_middle_of_grading_loses_nothing(up: Up, examples: Path) -> None:
    slow = b"import time\ntime.sleep(3)\n" + (examples / "correct.py").read_bytes()
    with up.client() as client:
        submission = submit(client, slow)
        in_state(client, submission, "running")
        os.kill(up.pid_of("worker"), signal.SIGKILL)
        graded = in_state(client, submission, "graded")
        attempts = client.get("/submissions").json()["items"]
    assert graded["verdict"] == "passed"
    assert graded["attempt"] == len(attempts)  # it was not charged as another attempt


def test_stopping_leaves_nothing_behind_and_starting_again_keeps_everything(up: Up) -> None:
    family = up.family()
    tokens = (up.data / "tokens.json").read_text()
    with up.client() as client:
        before = {item["id"] for item in client.get("/submissions").json()["items"]}
    up.process.terminate()
    said, _ = up.process.communicate(timeout=40)
    assert up.process.returncode == 0, said
    assert not any(map(is_alive, family))
    assert not (up.data / "address.json").exists()
    assert not (up.data / "runner.sock").exists()
    again = start(up.data)
    try:
        with again.client() as client:
            assert {item["id"] for item in client.get("/submissions").json()["items"]} == before
        assert (up.data / "tokens.json").read_text() == tokens
    finally:
        family = again.family()
        again.process.kill()
        again.process.communicate()
    wait_until(lambda: not any(map(is_alive, family)))
