"""Passwords, keys and tokens are in no log: the roles run with marked ones, in good times and in bad, and all that they
write is searched.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from celery import Celery

from app.accounts import service as accounts
from app.database import Database
from app.environment import SettingsError
from app.settings import ApiSettings, RecorderSettings
from grader.messages import RECORD_QUEUE, RECORD_TASK, Graded
from tests.app.databases import Databases
from tests.app.redis_process import RedisProcess, free_port
from tests.app.school import NO_CERTIFICATES, SOURCE, make_report
from tests.patience import PATIENCE_S, wait_until
from tests.postgresql_process import PASSWORD, PostgresqlProcess

ROOT = Path(__file__).parents[2]
REDIS_PASSWORD = "marked-password-of-redis"
SECRET_KEY = "marked-key-of-the-sessions-of-the-web"
CLIENT_SECRET = "marked-secret-of-the-provider"
WRONG_TOKEN = "assay_marked-token-that-is-nobodys"
REFUSED_SOURCE = b"marked_source = 1\n"


@contextmanager
def roles(folder: Path, environment: dict[str, str], *commands: tuple[str, ...]) -> Iterator[Path]:
    """The folder in which each role's output grows."""
    told = {"PATH": os.environ["PATH"], "PYTHONUNBUFFERED": "1", **environment}
    processes = []
    for command in commands:
        with (folder / f"{command[0]}.log").open("wb") as log:
            line = [sys.executable, "-m", "assay", *command]
            processes.append(subprocess.Popen(line, env=told, cwd=ROOT, stdout=log, stderr=subprocess.STDOUT))
    try:
        yield folder
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
            process.wait(timeout=PATIENCE_S)


def wait_for(log: Path, *words: str) -> None:
    wait_until(
        lambda: all(word in log.read_text() for word in words), lambda: f"never said {words}:\n{log.read_text()}"
    )


def is_up(url: str) -> bool:
    try:
        return httpx.get(f"{url}/readyz", timeout=PATIENCE_S, trust_env=False, verify=NO_CERTIFICATES).is_success
    except httpx.TransportError:
        return False


def test_no_role_ever_logs_a_secret(
    tmp_path: Path,
    own_redis: RedisProcess,
    postgresql: PostgresqlProcess,
    postgresql_databases: Databases,
    challenges_root: Path,
):
    with own_redis.client() as client:
        client.config_set("requirepass", REDIS_PASSWORD)
    redis_url = own_redis.url.replace("//", f"//:{REDIS_PASSWORD}@")
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    with postgresql_databases.migrated() as by_socket:
        database = Database(by_socket)
        accounts.create_user(database, "ada")
        token = accounts.issue_token(database, "ada")
        database.close()
        environment = {
            "ASSAY_DATABASE_URL": postgresql.url(by_socket.partition("?")[0].rpartition("/")[2], over_tcp=True),
            "ASSAY_REDIS_URL": redis_url,
            "ASSAY_SECRET_KEY": SECRET_KEY,
            "ASSAY_OPENID_ISSUER": "http://127.0.0.1:9",
            "ASSAY_OPENID_CLIENT_ID": "assay",
            "ASSAY_OPENID_CLIENT_SECRET": CLIENT_SECRET,
            "ASSAY_LOG_JSON": "true",
            "ASSAY_WORKER_REDIS_URL": redis_url.replace("marked", "marked-wrong"),
            "ASSAY_WORKER_CONCURRENCY": "1",
            "ASSAY_WORKER_CHALLENGES_ROOT": str(challenges_root),
            "ASSAY_WORKER_RUNNER_SOCKET": str(tmp_path / "nobody.sock"),
        }
        with roles(tmp_path, environment, ("api", "--port", str(port)), ("recorder",), ("worker",)) as logs:
            wait_until(lambda: is_up(url))
            headers = {"Authorization": f"Bearer {token}"}
            client = httpx.Client(base_url=url, headers=headers, timeout=PATIENCE_S, trust_env=False)
            sent = client.post("/api/v1/submissions", files={"file": ("layers.py", SOURCE)}).json()
            client.get("/api/v1/me", headers={"Authorization": f"Bearer {WRONG_TOKEN}"})
            client.get("/api/v1/me", params={"token": WRONG_TOKEN})
            client.post("/sign-in", data={"token": token})
            client.get("/sign-in/openid")
            with Celery("judge", broker=redis_url, set_as_current=False) as judge:
                graded = Graded(job=sent["id"], report=make_report())
                for message in ({"report": WRONG_TOKEN}, graded.model_dump(mode="json", by_alias=True)):
                    judge.send_task(RECORD_TASK, kwargs={"message": message}, queue=RECORD_QUEUE)
            wait_for(logs / "recorder.log", "report_recorded", "message_refused")
            wait_for(logs / "worker.log", "Cannot connect")
            own_redis.kill()
            client.post("/api/v1/submissions", files={"file": ("layers.py", REFUSED_SOURCE)})
            postgresql.stop()
            try:
                assert client.get("/api/v1/me").status_code == 503
                wait_for(logs / "api.log", "submission_not_queued", "database_failed")
                wait_for(logs / "recorder.log", "sweep_failed")
            finally:
                postgresql.start()
            client.close()
        for log in logs.glob("*.log"):
            text = log.read_text()
            for secret in (PASSWORD, REDIS_PASSWORD, SECRET_KEY, CLIENT_SECRET, token, WRONG_TOKEN, "marked"):
                assert secret not in text, f"{secret} is in {log.name}"


def test_what_a_process_will_be_told_is_checked_without_what_this_one_was_told(monkeypatch: pytest.MonkeyPatch):
    told = {"ASSAY_DATABASE_URL": "sqlite:////tmp/assay.db", "ASSAY_REDIS_URL": "redis://127.0.0.1:1/0"}
    monkeypatch.setenv("ASSAY_SMTP_HOST", "127.0.0.1")
    RecorderSettings.check(told)
    with pytest.raises(SettingsError, match="ASSAY_SMTP_HOST needs ASSAY_MAIL_FROM and ASSAY_PUBLIC_URL"):
        RecorderSettings.check({**told, "ASSAY_SMTP_HOST": "127.0.0.1"})


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("ASSAY_DATABASE_URL", "postgres://assay:marked@127.0.0.1/assay"),
        ("ASSAY_DATABASE_URL", "marked"),
        ("ASSAY_REDIS_URL", "http://:marked@127.0.0.1:1/0"),
        ("ASSAY_SECRET_KEY", "marked"),
    ],
)
def test_a_wrong_setting_is_refused_without_being_shown(name: str, wrong: str, monkeypatch: pytest.MonkeyPatch):
    right: dict[str, Any] = {
        "ASSAY_DATABASE_URL": "sqlite:////tmp/assay.db",
        "ASSAY_REDIS_URL": "redis://127.0.0.1:1/0",
        "ASSAY_SECRET_KEY": "s" * 32,
    }
    for variable, value in (right | {name: wrong}).items():
        monkeypatch.setenv(variable, value)
    with pytest.raises(SettingsError, match=name) as refused:
        ApiSettings.from_environment()
    assert "marked" not in str(refused.value)
