"""What operators see of workers and faults, and the switch that drains a worker."""

import time
from typing import Any

from grader.messages import DRAINED, JUDGES, Fault, Started
from tests.app.redis_process import RedisProcess
from tests.app.school import School, make_report

OPERATIONS = "/operations"


def workers(school: School) -> dict[str, Any]:
    return {worker["name"]: worker for worker in school.client("root").get(OPERATIONS).json()["workers"]}


def test_judges_of_one_name_are_one_worker_with_the_isolation_of_its_last_report(
    school: School, redis: RedisProcess
) -> None:
    with redis.client() as client:
        client.zadd(JUDGES, {"here:11": time.time(), "here:12": time.time(), "there:7": time.time() - 60})
    submission = school.submit()["id"]
    school.judge.take()
    school.recording().start(Started(job=submission, worker="here", at=time.time()))
    school.grade(submission, make_report())
    found = workers(school)
    assert (found["here"]["judges"], found["here"]["sandbox"]) == (2, "none")
    assert found["there"]["last_sign_s"] >= 60
    assert found["there"]["last_graded_at"] is None


def test_a_drained_worker_stays_so_also_while_it_is_gone(school: School, redis: RedisProcess) -> None:
    root = school.client("root")
    with redis.client() as client:
        client.zadd(JUDGES, {"here:11": time.time()})
        path = f"{OPERATIONS}/workers/here/drain"
        assert root.put(path, json={"is_drained": True}).status_code == 204
        assert client.smembers(DRAINED) == {"here"}
        client.delete(JUDGES)
        assert workers(school)["here"]["is_drained"]
        assert root.put(path, json={"is_drained": False}).status_code == 204
        assert client.smembers(DRAINED) == set()
        assert workers(school) == {}
        assert root.put(path, json={"is_drained": True}).status_code == 404


def test_faults_of_ours_are_shown_until_long_after(school: School) -> None:
    submission = school.submit()["id"]
    school.judge.take()
    school.recording().fault(Fault(job=submission, reason="the runner is gone"))
    (shown,) = school.client("root").get(OPERATIONS).json()["faults"]
    assert (shown["submission"], shown["student"], shown["requeues"]) == (submission, "ada", 1)
    assert "the runner is gone" in shown["fault"]
    school.grade(submission, make_report())
    (shown,) = school.client("root").get(OPERATIONS).json()["faults"]
    assert (shown["state"], shown["fault"]) == ("graded", None)


def test_without_redis_operators_still_see_the_queues(fragile_school: School, own_redis: RedisProcess) -> None:
    fragile_school.submit()
    own_redis.kill()
    found = fragile_school.client("root").get(OPERATIONS).json()
    assert not found["is_broker_reachable"]
    assert (found["queues"][0]["waiting"], found["workers"]) == (1, [])
    refused = fragile_school.client("root").put(f"{OPERATIONS}/workers/here/drain", json={"is_drained": True})
    assert refused.status_code == 503
