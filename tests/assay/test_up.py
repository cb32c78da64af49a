"""`assay up` from start to stop, as an operator and a student live through it. One service for the whole file."""

import json
import os
import shutil
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.accounts import service as accounts
from app.database import Database
from app.models import Role
from assay.redis_binary import find
from grader.challenge import DEFAULT_ROOT
from grader.hunt import HuntBank
from tests.patience import PATIENCE_S, wait_for, wait_until
from tests.processes import descendants, is_running, parent_of


@dataclass
class Up:
    """A running `assay up`."""

    process: "subprocess.Popen[str]"
    data: Path

    @property
    def address(self) -> str:
        return str(json.loads((self.data / "address.json").read_text())["address"])

    def client(self, who: str = "student") -> httpx.Client:
        return self.client_with(json.loads((self.data / "tokens.json").read_text())[who])

    def newcomer(self, name: str, role: Role = Role.STUDENT) -> httpx.Client:
        """Somebody who has sent nothing yet."""
        database = Database(f"sqlite:///{self.data / 'assay.db'}")
        accounts.create_user(database, name, role)
        token = accounts.issue_token(database, name)
        database.close()
        return self.client_with(token)

    def client_with(self, token: str) -> httpx.Client:
        headers = {"Authorization": f"Bearer {token}"}
        return httpx.Client(base_url=f"{self.address}/api/v1", headers=headers, timeout=PATIENCE_S, trust_env=False)

    def pid_of(self, role: str) -> int:
        """The process that `up` started for the role."""
        started = (pid for pid in self.family() if parent_of(pid) == self.process.pid)
        return next(pid for pid in started if words_of(pid)[4:5] == [role])

    def family(self) -> set[int]:
        return descendants(self.process.pid)


@dataclass(frozen=True)
class Engine:
    """The student's client, as a program of its own."""

    up: Up
    folder: Path

    def run(self, *words: str) -> str:
        """What it says on standard output."""
        token = json.loads((self.up.data / "tokens.json").read_text())["student"]
        said = {"ASSAY_SERVER": self.up.address, "ASSAY_TOKEN": token, "XDG_CONFIG_HOME": str(self.folder)}
        done = subprocess.run(
            [sys.executable, "-c", "from engine.cli import main; main()", *words],
            cwd=self.folder,
            env={name: value for name, value in os.environ.items() if not name.startswith("ASSAY_")} | said,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
        assert done.returncode in (0, 1), done.stderr
        return done.stdout


def words_of(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/cmdline").read_bytes().decode().split("\0")


def start(data: Path, *options: str) -> Up:
    command = [sys.executable, "-P", "-m", "assay", "up", "--data-dir", str(data), "--port", "0", "--workers", "1"]
    process = subprocess.Popen([*command, *options], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    up = Up(process, data)
    try:
        wait_until(lambda: (data / "address.json").exists() or process.poll() is not None)
        assert process.poll() is None, "it did not come up"
    except AssertionError as error:
        process.terminate()
        pytest.fail(f"{error}:\n{process.communicate()[0]}")
    return up


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With a space in its name, and longer than a socket's may be."""
    return tmp_path_factory.mktemp("up") / f"the data {'of assay ' * 10}"


@pytest.fixture(scope="module")
def up(data: Path) -> Iterator[Up]:
    running = start(data, "--public-url", "http://assay.example.edu:8000")
    yield running
    running.process.terminate()
    running.process.communicate(timeout=PATIENCE_S)


def submit(client: httpx.Client, source: bytes) -> dict[str, Any]:
    response = client.post("/submissions", files={"file": ("layers.py", source)}, data={"challenge": "mha-rope"})
    assert response.status_code == 202, response.text
    submission: dict[str, Any] = response.json()
    return submission


def in_state(client: httpx.Client, submission: dict[str, Any], state: str) -> dict[str, Any]:
    def found() -> dict[str, Any] | None:
        now: dict[str, Any] = client.get(f"/submissions/{submission['id']}").json()
        return now if now["state"] == state else None

    return wait_for(found, lambda: f"not {state} in time")


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


def test_it_goes_by_its_own_names_alone(up: Up) -> None:
    def status(host: str) -> int:
        return httpx.get(f"{up.address}/sign-in", headers={"Host": host}, trust_env=False).status_code

    assert [status(host) for host in ("localhost", "127.0.0.1:1", "assay.example.edu:8000")] == [200] * 3
    assert [status(host) for host in ("evil.test", "10.0.0.1", "example.edu")] == [400] * 3


def test_no_password_stands_on_a_command_line(up: Up) -> None:
    password = json.loads((up.data / "secrets.json").read_text())["redis_password"]
    assert not [pid for pid in up.family() if any(password in word for word in words_of(pid))]


def test_a_right_submission_passes(up: Up, examples: Path) -> None:
    with up.client() as client:
        graded = in_state(client, submit(client, (examples / "correct.py").read_bytes()), "graded")
    assert graded["verdict"] == "passed"


def test_a_line_is_run_and_the_run_is_asked_about(up: Up, examples: Path) -> None:
    """The real sandbox, judge and recorder; before the pass the student turned the values, too."""
    with up.newcomer("zoe") as client:
        in_state(client, submit(client, (examples / "rope_on_v.py").read_bytes()), "graded")
        passed = in_state(client, submit(client, (examples / "correct.py").read_bytes()), "graded")
        path = f"/submissions/{passed['id']}"
        asked = {question["id"]: question for question in client.get(f"{path}/questions").json()["items"]}
        operations = passed["report"]["efficiency"]["ops"]["1"]
        assert f"dispatched {operations} operations" in asked["your-code-in-a-loop"]["prompt"]
        assert "hidden-rope-on-v" in asked
        for line, status in (("turned_even * cos", "incorrect"), ("turned_odd * sin + cos * turned_even", "correct")):
            answers = [{"question": "turn-back", "answer": line}]
            assert client.post(f"{path}/answers", json={"answers": answers}).status_code == 200
            assert marked(client, path, "turn-back")["status"] == status


def marked(client: httpx.Client, path: str, question: str) -> dict[str, Any]:
    """The mark, once a judge has run the line."""

    def found() -> dict[str, Any] | None:
        asked = {item["id"]: item for item in client.get(f"{path}/questions").json()["items"]}
        mark: dict[str, Any] = asked[question]["answer"]["mark"]
        return None if mark["status"] == "pending" else mark

    return wait_for(found)


def test_the_whole_way_from_a_submission_to_the_final_score(up: Up, examples: Path, tmp_path: Path) -> None:
    """With the real client: submit, pass, questions, answers, marks, a person reads a free text, the final score."""
    engine = Engine(up, tmp_path)
    terms = {"slug": "attention", "title": "Attention", "challenge": "mha-rope", "points": 20, "question_points": 10}
    with up.client("instructor") as staff, up.client() as student:
        course = staff.get("/me").json()["courses"][0]["slug"]
        rules = {"questions_unlock": "on_pass", "answers_max": 4}
        assert staff.post(f"/courses/{course}/assignments", json=terms | rules).status_code == 201

        assert "once one of your submissions has passed" in engine.run("submit-build", str(examples / "rope_on_v.py"))
        assert "Passed: 100 of 100" in engine.run("submit-build", str(examples / "correct.py"))
        sent = student.get("/submissions").json()["items"][0]["links"]["questions"]
        asked = student.get(f"{up.address}{sent}").json()["items"]
        choice = next(question for question in asked if question["kind"] == "choice")
        text = next(question for question in asked if question["kind"] == "text")
        letters = iter(option["id"] for option in choice["options"])
        while "Right:" not in engine.run("answer", "--question", choice["id"], "--answer", next(letters)):
            pass
        assert "Kept" in engine.run("answer", "--question", text["id"], "--answer", "Each head looks elsewhere.")
        assert "1 awaiting review" in engine.run("answer")

        [review] = staff.get(f"/courses/{course}/reviews", params={"state": "waiting"}).json()["items"]
        rubric = staff.get(f"/courses/{course}/reviews/{review['id']}").json()["rubric"]
        points = [concept["points"] for concept in rubric]
        marks = {"version": 1, "points": [*points[:-1], 0], "comment": "And what does it give up?"}
        assert staff.post(f"/courses/{course}/reviews/{review['id']}", json=marks).status_code == 200

        listed = engine.run("answer")
        assert "And what does it give up?" in listed
        assert "Marked by an instructor." in listed
        earned = choice["points"] + sum(points[:-1])
        total = 20 + round(10 * earned / sum(question["points"] for question in asked), 2)
        assert f"{total:g} of 30 points in Attention: 20 of 20 for the code" in " ".join(listed.split())
        assert student.get("/me").json()["assignments"][0]["score"]["total"] == total
        assert f"{total:g} of 30 points" in engine.run("status")
        closed = staff.patch(f"/courses/{course}/assignments/attention", json={"closes_at": "2020-01-01T00:00:00Z"})
        assert closed.status_code == 200
    assert "no longer accepts answers" in engine.run("answer")


def test_a_bug_hunt_from_the_symptom_to_the_cause(up: Up, examples: Path, tmp_path: Path) -> None:
    """With the real client and the real sandbox: what is handed out fails, and a small change mends it."""
    engine, bank = Engine(up, tmp_path), HuntBank.load(DEFAULT_ROOT / "mha-rope" / "hunt")
    engine.run("submit-build", str(examples / "correct.py"))
    assert "Symptoms" in engine.run("hunt", "mha-rope")
    file = tmp_path / "hunt/mha-rope/1/cs336_basics/layers.py"
    planted = next(planted for planted in bank.all_planted() if planted.source == file.read_text())
    cause = bank.observed[planted.name].title
    told = engine.run("submit-fix")
    assert told.startswith("✗ Not solved yet.")
    assert cause not in told
    shutil.copy(examples / "correct.py", tmp_path / "mine.py")
    assert "Right, but a rewrite" in " ".join(engine.run("submit-fix", "mine.py", "--challenge", "mha-rope").split())
    file.write_text(bank.solutions[planted.style])
    assert "You found it" in engine.run("submit-fix")
    assert cause in engine.run("hunt", "mha-rope")


def test_a_second_up_on_the_same_folder_says_where_the_first_is(up: Up) -> None:
    command = [sys.executable, "-m", "assay", "up", "--data-dir", str(up.data), "--port", "0"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert up.address in done.stderr


def test_a_port_that_is_taken_is_told_in_a_sentence(up: Up, tmp_path: Path) -> None:
    port = up.address.rpartition(":")[2]
    command = [sys.executable, "-m", "assay", "up", "--data-dir", str(tmp_path / "other"), "--port", port]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert done.returncode == 1
    assert "--port 0" in done.stderr


def test_a_mail_server_without_a_sender_is_refused_before_anything_starts(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "assay", "up", "--data-dir", str(tmp_path), "--port", "0"],
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path), "ASSAY_SMTP_HOST": "127.0.0.1"},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 1
    (error,) = [line for line in done.stderr.splitlines() if line.startswith("Error")]
    assert error.startswith("Error: ASSAY_SMTP_HOST needs ASSAY_MAIL_FROM and ASSAY_PUBLIC_URL: ")
    assert not list((tmp_path / "logs").iterdir())


def test_a_front_end_that_dies_comes_back_at_the_same_address(up: Up) -> None:
    address = up.address
    os.kill(up.pid_of("api"), signal.SIGKILL)
    # The listening socket is the supervisor's: this request waits for the next process instead of being refused.
    assert httpx.get(f"{address}/healthz", timeout=PATIENCE_S, trust_env=False).status_code == 200


def test_a_worker_killed_in_the_middle_of_grading_loses_nothing(up: Up, examples: Path) -> None:
    slow = b"import time\ntime.sleep(3)\n" + (examples / "correct.py").read_bytes()
    with up.client() as client:
        submission = submit(client, slow)
        in_state(client, submission, "running")
        os.kill(up.pid_of("worker"), signal.SIGKILL)
        graded = in_state(client, submission, "graded")
        sent = client.get("/submissions", params={"limit": 100}).json()["items"]
    assert graded["verdict"] == "passed"
    assert graded["attempt"] == sum(item["kind"] == "build" for item in sent)  # it was not charged as another attempt


def test_stopping_leaves_nothing_behind_and_starting_again_keeps_everything(up: Up) -> None:
    family = up.family()
    tokens = (up.data / "tokens.json").read_text()
    with up.client() as client:
        before = {item["id"] for item in client.get("/submissions").json()["items"]}
    up.process.terminate()
    said, _ = up.process.communicate(timeout=PATIENCE_S)
    assert up.process.returncode == 0, said
    assert f"Its queue is {find()}." in said
    assert f" user --data-dir '{up.data}' add NAME" in said  # as a shell takes it
    assert not any(map(is_running, family))
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
    wait_until(lambda: not any(map(is_running, family)))
