"""What each account can do in a real Redis, and what it cannot: everything else is tried."""

import base64
import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
from kombu import Connection
from kombu.transport import redis as transport
from redis.backoff import NoBackoff
from redis.exceptions import NoPermissionError
from redis.retry import Retry

from app import rate
from app.broker import STUDENTS, Broker
from assay.redis_accounts import ACCOUNTS, API, RECORDER, VERIFIER, WORKER, acl_file, passwords
from assay.redis_server import require, url, write_configuration
from grader.messages import GRADE_CPU_QUEUE, GradeRequest
from tests.app.redis_process import free_port
from tests.patience import wait_until
from transport.internals import mutex

ROOT = Path(__file__).parents[2]
PASSWORDS = passwords("a secret that is kept")
REQUEST = GradeRequest(
    job="s1",
    submission_id="s1",
    challenge="c",
    main="a.py",
    files={"a.py": base64.b64encode(b"x")},
    seed=1,
    queued_at=0,
)


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    number = free_port()
    configuration = write_configuration(tmp_path_factory.mktemp("redis") / "redis", number, PASSWORDS)
    process = subprocess.Popen([require().path, configuration], stdout=subprocess.DEVNULL)
    await_redis(number)
    yield number
    process.kill()
    process.wait()


def await_redis(port: int) -> None:
    with redis.Redis(port=port, retry=Retry(NoBackoff(), 0)) as anybody:
        wait_until(lambda: is_there(anybody))


def is_there(anybody: "redis.Redis") -> bool:
    """It asks for a name and a password, as soon as it answers."""
    try:
        anybody.ping()
    except redis.ConnectionError:
        return False
    return True


@pytest.fixture
def accounts(port: int) -> Iterator[dict[str, "redis.Redis"]]:
    clients = {role: redis.Redis.from_url(url(port, role, word)) for role, word in PASSWORDS.items()}
    yield clients
    for client in clients.values():
        client.close()


# What nobody may: to look around, to change the server, to run programs of others, to empty it.
FORBIDDEN_TO_ALL = """
KEYS * | SCAN 0 | RANDOMKEY | DBSIZE | INFO | MONITOR | SUBSCRIBE x | PUBLISH x y | CLIENT LIST | OBJECT ENCODING record
FLUSHALL | FLUSHDB | CONFIG GET * | CONFIG SET dir /tmp | ACL LIST | ACL WHOAMI | ACL SETUSER x on | SHUTDOWN | SAVE
EVALSHA 0 0 | EVAL_RO 1 0 | SCRIPT LOAD x | SCRIPT FLUSH | FUNCTION LIST | FUNCTION LOAD x | FCALL x 0
BGSAVE | DEBUG SLEEP 0 | CLIENT KILL ID 1 | SLAVEOF x 1 | EVAL 1 0 | MODULE LIST | DUMP record | RENAME record x
SWAPDB 0 1 | MOVE record 1 | SORT record | LRANGE record 0 -1 | LRANGE grade.cpu 0 -1
GET secret | SET secret x | LPUSH secret x | DEL secret
"""
FORBIDDEN = {
    WORKER: """
XREAD STREAMS assay:events:s1 0 | XRANGE assay:events:s1 - + | LINDEX record 0 | MGET assay:lease:s1 | TTL grade.cpu
GET assay:rate:uploads:x | DEL assay:record:unacked | HGET assay:record:unacked x
LTRIM record 0 0 | ZCOUNT assay:judges 0 1
BRPOP grade.exercises 1 | LPUSH record.exercises x | HGET unacked_exercises x | ZADD assay:verifiers 1 x
""",
    VERIFIER: """
BRPOP grade.cpu 1 | BRPOP grade.gpu 1 | BRPOP grade.check 1 | LPUSH grade.cpu x | BRPOP record 1 | LPUSH record x
HGET unacked x | HGET unacked_gpu x | ZADD assay:judges 1 x | SADD assay:drained x | GET assay:rate:uploads:x
XREAD STREAMS assay:events:s1 0
""",
    API: """
BRPOP grade.cpu 1 | RPOP record | LINDEX record 0 | DEL grade.cpu | GET assay:lease:s1 | SET assay:lease:s1 x
HGET unacked x | ZADD assay:judges 1 x | GET assay:settled:s1
""",
    RECORDER: """
HGET unacked x | GET assay:starts:s1 | ZREMRANGEBYSCORE assay:judges 0 1 | INCR assay:rate:uploads:x
XREAD STREAMS assay:events:s1 0
""",
}


def commands_in(text: str) -> list[list[str]]:
    return [command.split() for command in text.replace("\n", "|").split("|") if command.strip()]


@pytest.mark.parametrize("role", ACCOUNTS)
def test_whatever_a_role_does_not_need_is_refused(accounts: dict[str, "redis.Redis"], role: str) -> None:
    allowed = []
    for command in commands_in(FORBIDDEN_TO_ALL + FORBIDDEN[role]):
        if not is_refused(accounts[role], command):
            allowed.append(command)
    assert allowed == []


def is_refused(client: "redis.Redis", command: list[str]) -> bool:
    """To this account; or, as DEBUG and MODULE since version 7, to everybody."""
    try:
        client.execute_command(*command)
    except redis.ResponseError as error:
        return isinstance(error, NoPermissionError) or f"{command[0]} command not allowed" in str(error)
    return False


def test_without_an_account_one_may_only_ask_whether_it_is_there(port: int) -> None:
    with redis.Redis(port=port) as anybody:
        assert anybody.ping()
        assert all(is_refused(anybody, command) for command in commands_in(FORBIDDEN_TO_ALL))


@pytest.mark.parametrize("word", ["", "wrong", PASSWORDS[API]])
def test_an_account_needs_its_own_password(port: int, word: str) -> None:
    with (
        redis.Redis(port=port, username=WORKER, password=word, retry=Retry(NoBackoff(), 0)) as stranger,
        pytest.raises(redis.RedisError),
    ):
        stranger.lpush("record", "x")


def test_the_front_end_sends_tells_and_counts(port: int) -> None:
    broker = Broker(url(port, API, PASSWORDS[API]))
    broker.send(REQUEST, GRADE_CPU_QUEUE, STUDENTS, 0.0)
    broker.tell("s1", "state", {"state": "queued"})
    broker.end("s1", "cancelled")
    broker.forget("s1")
    counted = [rate.count(broker, what, "x") for what in ("uploads", "wrong", "answers", "writes", "rosters")]
    assert [found.so_far for found in counted if found] == [1] * 5
    broker.allow_withdrawal("s2")
    assert [broker.withdraw("s2") for _ in range(2)] == [True, False]
    assert (broker.judges(), broker.record_messages()) == (0, 0)
    broker.close()


def test_what_a_lost_judge_had_in_hand_comes_back_without_a_script(
    port: int, accounts: dict[str, "redis.Redis"], monkeypatch: pytest.MonkeyPatch
) -> None:
    accounts[WORKER].delete(GRADE_CPU_QUEUE)
    broker = Broker(url(port, API, PASSWORDS[API]))
    broker.send(REQUEST, GRADE_CPU_QUEUE, STUDENTS, 0.0)
    broker.close()
    taken = accounts[WORKER].brpop([GRADE_CPU_QUEUE], timeout=5)
    monkeypatch.setattr(transport, "Mutex", mutex)
    options = {"visibility_timeout": 0}
    with Connection(url(port, WORKER, PASSWORDS[WORKER]), transport_options=options) as connection:
        channel = connection.channel()
        message = channel.Message(json.loads(taken[1]), channel=channel)
        channel.qos.append(message, message.delivery_tag)
        channel.qos.restore_visible(interval=1)
    assert accounts[WORKER].llen(GRADE_CPU_QUEUE) == 1
    assert not accounts[WORKER].exists("unacked_mutex")


def test_a_lock_that_is_held_is_nobody_else_s(accounts: dict[str, "redis.Redis"]) -> None:
    client = accounts[WORKER]
    with mutex(client, "unacked_mutex", 60):
        with pytest.raises(transport.MutexHeld), mutex(client, "unacked_mutex", 60):
            pytest.fail("two have it")
        client.set("unacked_mutex", "another's")  # ours has run out meanwhile
    assert client.get("unacked_mutex") == b"another's"
    client.delete("unacked_mutex")


def test_the_recorder_sees_what_is_lost(port: int) -> None:
    broker = Broker(url(port, RECORDER, PASSWORDS[RECORDER]))
    broker.send(REQUEST, GRADE_CPU_QUEUE, STUDENTS, 1.0)
    assert broker.oldest_waiting("record") is None
    assert broker.oldest_waiting(GRADE_CPU_QUEUE, 9) is None
    assert broker.leased(["s1"]) == set()
    broker.end("s1", "graded")
    broker.close()


def test_the_files_hold_no_password_in_clear(tmp_path: Path) -> None:
    write_configuration(tmp_path / "redis", 1, PASSWORDS)
    text = "".join(file.read_text() for file in (tmp_path / "redis").iterdir())
    assert not [word for word in PASSWORDS.values() if word in text]
    assert len(set(PASSWORDS.values())) == len(ACCOUNTS)


def test_a_deployment_gets_the_same_accounts(tmp_path: Path) -> None:
    users = ROOT / "deploy" / "redis-users.acl"
    assert users.read_text(encoding="utf-8") == acl_file({role: f"@{role.upper()}@" for role in ACCOUNTS})
    number, made = free_port(), tmp_path / "made" / "secrets"
    told = {**os.environ, "REDIS_HOST": "127.0.0.1"}
    subprocess.run(["sh", ROOT / "deploy" / "make-secrets", made], env=told, check=True, stdout=subprocess.DEVNULL)
    server = [require().path, "--port", str(number), "--dir", tmp_path, "--aclfile", made / "redis_users"]
    process = subprocess.Popen(server, stdout=subprocess.DEVNULL)
    try:
        await_redis(number)
        address = (made / "redis_url_worker").read_text(encoding="utf-8").replace(":6379/", f":{number}/")
        with redis.Redis.from_url(address) as worker:
            assert worker.lpush("record", "x") == 1
    finally:
        process.kill()
        process.wait()


def test_secrets_that_are_there_are_kept_and_nobody_else_sees_them(tmp_path: Path) -> None:
    made = tmp_path / "secrets"
    for _ in range(2):
        subprocess.run(["sh", ROOT / "deploy" / "make-secrets", made], check=True, stdout=subprocess.DEVNULL)
        contents = {file.name: file.read_text(encoding="utf-8") for file in made.iterdir()}
        (made / "secret_key").write_text("mine", encoding="utf-8")
    assert contents["secret_key"] == "mine"
    assert made.stat().st_mode & 0o077 == 0
    passwords_in = {
        name: text.partition("@")[0].rpartition(":")[2] for name, text in contents.items() if "_url" in name
    }
    assert passwords_in["database_url"] == contents["postgres_password"]
    assert not [word for word in passwords_in.values() if word in contents["redis_users"] or len(word) != 64]
