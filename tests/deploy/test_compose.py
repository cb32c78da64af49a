"""docker-compose.yml in service: a student gets in by the published port, containers die, networks keep apart.

`make test-compose` runs it. Each test leaves the deployment as it found it: up and whole.
"""

import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from pathlib import Path

import httpx
import pytest

from grader.report import Report
from tests.deploy.compose import ROOT, Deployment, deployed, docker, has_image, missing
from tests.not_run import NOT_RUN, note
from tests.probes import corpus
from tests.probes.corpus import Probe, probes
from tests.worker.test_probes import by_id, chosen_for, judges
from worker.runner_client import RunnerClient

__all__ = ["judges"]  # a fixture

EXAMPLES = ROOT / "examples"
PATIENCE_S = 240.0
GRADE_S = 600.0
STUDENTS = 6
REACH = """
import socket, sys
from concurrent.futures import ThreadPoolExecutor

def reached(place):
    try:
        socket.create_connection(place.rsplit(":", 1), timeout=3).close()
    except OSError:
        return False
    return True

with ThreadPoolExecutor(32) as pool:
    print(*(place for place, found in zip(sys.argv[1:], pool.map(reached, sys.argv[1:])) if found))
"""
PROBES = tuple(probes())

if "ASSAY_TEST_COMPOSE" not in os.environ:
    pytest.skip("NOT RUN: docker-compose.yml as a whole; `make test-compose` runs it", allow_module_level=True)


@pytest.fixture(scope="module")
def deployment(request: pytest.FixtureRequest) -> Iterator[Deployment]:
    if lacking := missing():
        pytest.fail(lacking)
    with deployed() as found:
        note(request.config, "docker-compose", "up, with " + found.compose("config", "--services").replace("\n", " "))
        yield found


@pytest.fixture(scope="module")
def tokens(deployment: Deployment) -> list[str]:
    """Of students, made with the operator's command in the front end's container."""
    return [deployment.inside("api", "assay", "user", "add", f"student-{n}").strip() for n in range(STUDENTS)]


def engine(deployment: Deployment, token: str, *words: str) -> "subprocess.CompletedProcess[str]":
    """The student's client, as its image has it, on the machine's own network."""
    told = ("--env", f"ASSAY_SERVER={deployment.address}", "--env", f"ASSAY_TOKEN={token}", "--env", "HOME=/tmp")
    place = ("--network", "host", "--volume", f"{EXAMPLES}:/work:ro")
    command = ["docker", "run", "--rm", *place, *told, "assay-client", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)


def send(deployment: Deployment, token: str, file: str = "correct.py") -> str:
    """The id of a submission that is on its way."""
    done = engine(deployment, token, "submit-build", file, "--challenge", "mha-rope", "--no-wait")
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def verdict(deployment: Deployment, token: str, submission: str) -> str:
    done = engine(deployment, token, "status", submission, "--wait", "--format", "json")
    assert done.stdout, done.stderr
    return str(json.loads(done.stdout)["verdict"])


def test_a_student_passes_and_another_learns_why_not(deployment: Deployment, tokens: list[str]) -> None:
    passed = engine(deployment, tokens[0], "submit-build", "correct.py", "--challenge", "mha-rope")
    assert (passed.returncode, "100 of 100 points" in passed.stdout) == (0, True), passed.stdout + passed.stderr
    failed = engine(deployment, tokens[1], "submit-build", "rope_on_v.py", "--challenge", "mha-rope")
    assert failed.returncode == 1
    assert "RoPE is applied to the values too" in failed.stdout


def test_no_container_has_a_privilege_the_daemon_or_a_writable_root(deployment: Deployment) -> None:
    found = deployment.containers()
    assert len(found) == 6  # migrate has ended
    for container in found:
        host, name = container["HostConfig"], container["Name"]
        assert (host["Privileged"], host["CapAdd"], host["CapDrop"]) == (False, None, ["ALL"]), name
        assert host["ReadonlyRootfs"], name
        assert "no-new-privileges:true" in host["SecurityOpt"], name
        assert int(container["Config"]["User"].split(":")[0]) > 0, name
        assert not [mount for mount in container["Mounts"] if mount["Source"].endswith("docker.sock")], name
        assert (host["PidMode"], host["NetworkMode"] == "host") == ("", False), name


def test_no_secret_stands_in_an_environment_or_in_a_log(deployment: Deployment) -> None:
    words = [file.read_text(encoding="utf-8") for file in deployment.secrets.iterdir() if file.name != "redis_users"]
    words += [text.partition("@")[0].rpartition(":")[2] for text in words if "://" in text]
    shown = json.dumps(deployment.containers()) + deployment.compose("logs", "--no-color")
    assert not [word for word in words if word in shown]


@pytest.mark.parametrize(
    ("service", "reached"),
    [
        ("api", {"postgres", "redis", "recorder"}),
        ("recorder", {"postgres", "redis", "api"}),
        ("worker", {"redis"}),
        ("runner", set()),
    ],
)
def test_who_can_reach_whom(deployment: Deployment, service: str, reached: set[str]) -> None:
    """By name, and by the address that the name has elsewhere."""
    ports = {"postgres": 5432, "redis": 6379, "api": 8000, "recorder": 9101}
    places = {f"{name}:{port}": name for name, port in ports.items()}
    for name, port in ports.items():
        for network in deployment.containers(name)[0]["NetworkSettings"]["Networks"].values():
            places[f"{network['IPAddress']}:{port}"] = name
    tried = [place for place, name in places.items() if name != service]
    found = {places[place] for place in deployment.inside(service, "python", "-c", REACH, *tried).split()}
    assert found == reached


def test_the_runner_has_no_network_no_secret_and_no_answers(deployment: Deployment) -> None:
    interfaces = deployment.inside("runner", "cat", "/proc/net/dev").splitlines()[2:]
    assert [line.split(":")[0].strip() for line in interfaces] == ["lo"]
    secrets = "import os; print(os.listdir('/run'), os.path.exists('/run/secrets'))"
    assert "False" in deployment.inside("runner", "python", "-c", secrets)
    assert "challenges" not in deployment.inside("runner", "ls", *_site_packages(deployment))


def _site_packages(deployment: Deployment) -> list[str]:
    return deployment.inside("runner", "python", "-c", "import worker; print(worker.__path__[0] + '/..')").split()


def test_three_workers_of_which_one_is_killed_grade_everything_once(deployment: Deployment, tokens: list[str]) -> None:
    deployment.up("--scale", "worker=3", "worker")
    _await_judges(deployment, 6)
    sent = [(tokens[number % STUDENTS], send(deployment, tokens[number % STUDENTS])) for number in range(4 * STUDENTS)]
    deployment.kill("worker", 1)
    assert {verdict(deployment, token, submission) for token, submission in sent} == {"passed"}
    told = deployment.compose("logs", "--no-color", "recorder")
    for _, submission in sent:
        recorded = [line for line in told.splitlines() if "report_recorded" in line and submission in line]
        assert len(recorded) == 1, recorded
    deployment.await_healthy()
    _await_judges(deployment, 6)  # the killed one is back
    deployment.up("--scale", "worker=1", "worker")


def _await_judges(deployment: Deployment, wanted: int) -> None:
    """Warm ones, as the front end's metrics tell."""
    read = "import urllib.request as u; print(u.urlopen('http://127.0.0.1:8000/metrics').read().decode())"
    deadline = time.monotonic() + PATIENCE_S
    while f"\nassay_judges {wanted}.0" not in (told := deployment.inside("api", "python", "-c", read)):
        assert time.monotonic() < deadline, [line for line in told.splitlines() if line.startswith("assay_judges")]
        time.sleep(1)


def test_what_hangs_is_told_from_what_is_well(deployment: Deployment) -> None:
    """As `docker-compose ps` has it; all at once, because a health check is patient."""
    hang = ("api", "recorder", "worker", "runner")
    deployment.await_healthy()
    for service in hang:
        deployment.signal(service, signal.SIGSTOP)
    try:
        for service in hang:
            deployment.await_condition("unhealthy", service)
        for service in ("postgres", "redis"):
            deployment.await_condition("healthy", service)
    finally:
        for service in hang:
            deployment.signal(service, signal.SIGCONT)
    deployment.await_healthy()


@pytest.mark.parametrize("service", ["runner", "redis", "postgres", "recorder", "api"])
def test_whatever_is_killed_comes_back_and_nothing_is_lost(
    deployment: Deployment, tokens: list[str], service: str
) -> None:
    submission = send(deployment, tokens[2])
    deployment.kill(service)
    time.sleep(2)
    deployment.await_healthy()
    assert verdict(deployment, tokens[2], submission) == "passed"


def test_a_backup_of_the_running_service_is_made_and_read_back(deployment: Deployment) -> None:
    made = deployment.inside("api", "sh", "-c", "assay backup /tmp/b && assay restore /tmp/b 2>&1; rm /tmp/b")
    assert "bytes" in made
    assert "--replace" in made  # it is a backup, and what is there stays


def test_everything_is_there_after_a_restart(deployment: Deployment, tokens: list[str]) -> None:
    before = engine(deployment, tokens[0], "history").stdout
    deployment.compose("down", "--timeout", "20")
    deployment.up()
    deployment.await_healthy()
    assert engine(deployment, tokens[0], "history").stdout == before
    assert verdict(deployment, tokens[3], send(deployment, tokens[3])) == "passed"


# --- without a GPU ---------------------------------------------------------------------------------------------------


def start_gpu(image: str, *options: str) -> "subprocess.CompletedProcess[str]":
    """As docker-compose.yml would, but for the GPU, which this machine may not have."""
    confined = ("--rm", "--network", "none", "--read-only", "--cap-drop", "ALL", "--tmpfs", "/tmp")
    profile = f"seccomp={ROOT / 'deploy' / 'seccomp-runner.json'}"
    held = ("--security-opt", "no-new-privileges:true", "--security-opt", profile)
    command = ["docker", "run", *confined, *held, *options, image]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)


def test_a_runner_for_a_gpu_that_is_not_there_says_so() -> None:
    told = ("--tmpfs", "/run/assay:uid=10001", "--env", "ASSAY_RUNNER_SOCKET=/run/assay/runner.sock")
    ended = start_gpu("assay-runner-gpu", *told)
    assert ended.returncode == 3, ended.stderr
    assert ended.stderr.startswith(
        "There is no GPU here: /dev/nvidia0 is missing. Install NVIDIA's driver; in a container"
    )


def test_a_judge_for_a_gpu_whose_runner_has_none_says_so(deployment: Deployment) -> None:
    """Beside the deployment's own runner, which has no GPU."""
    place = ("--volume", f"{deployment.volume('runner')}:/run/assay")
    told = (
        "--env",
        "ASSAY_WORKER_REDIS_URL=redis://redis",
        "--env",
        "ASSAY_WORKER_RUNNER_SOCKET=/run/assay/runner.sock",
    )
    ended = start_gpu("assay-worker-gpu", *place, *told)
    assert ended.returncode == 1, ended.stderr
    assert "The runner at /run/assay/runner.sock has no GPU: start it with ASSAY_RUNNER_DEVICE=cuda" in ended.stderr


@pytest.mark.parametrize("image", ["assay-worker-gpu", "assay-runner-gpu"])
def test_an_image_for_a_gpu_runs_as_an_ordinary_user_and_is_watched(image: str) -> None:
    (found,) = json.loads(docker("inspect", image))
    assert found["Config"]["User"] == "10001:10001"
    assert "grader.alive" in found["Config"]["Healthcheck"]["Test"]


# --- attacks ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def runner(deployment: Deployment) -> RunnerClient:
    """The runner of the deployment, by its socket in the volume that it shares with the judges."""
    socket = deployment.volume("runner") / "runner.sock"
    if not os.access(socket.parent, os.R_OK):
        pytest.skip(f"{NOT_RUN}the probes in the deployment's runner: only root may connect to its socket")
    return RunnerClient(socket)


@pytest.fixture(scope="module")
def reports(
    runner: RunnerClient, judges: ProcessPoolExecutor, request: pytest.FixtureRequest
) -> dict[str, "Future[Report]"]:
    """Of the probes whose tests were chosen, two at a time."""
    chosen = chosen_for(request, test_the_runner_gives_no_probe_what_it_asks)
    return {probe.id: judges.submit(corpus.grade_probe, probe, runner) for probe in chosen}


@pytest.mark.parametrize("probe", PROBES, ids=by_id)
def test_the_runner_gives_no_probe_what_it_asks(probe: Probe, reports: dict[str, "Future[Report]"]) -> None:
    assert corpus.deviation(probe, reports[probe.id].result(GRADE_S)) is None


def test_the_runner_is_whole_after_the_attacks(deployment: Deployment, tokens: list[str]) -> None:
    (runner,) = deployment.containers("runner")
    assert runner["RestartCount"] <= 1  # of the one that we killed ourselves
    assert runner["State"]["Health"]["Status"] == "healthy"  # also with all that to do
    assert verdict(deployment, tokens[4], send(deployment, tokens[4])) == "passed"


# --- exercise repositories -------------------------------------------------------------------------------------------

VERIFY = """
from pathlib import Path
from assay.exercises.verifying import problems_of
print(problems_of(Path("/tmp/exercises")))
"""


def test_a_verifier_works_in_its_container(deployment: Deployment) -> None:
    token = deployment.inside("api", "assay", "user", "add", "operator", "--role", "operator").strip()
    with deployment.extended("deploy/exercises.yml"):
        deployment.await_healthy()
        (verifier,) = deployment.containers("verifier")
        assert deployment.network(verifier) == {"judges", "exercises"}
        deployment.inside("verifier", "assay", "challenge", "new", "shares", "--root", "/tmp/exercises")
        assert deployment.inside("verifier", "python", "-c", VERIFY).strip() == "[]"
        wanted = {"url": "https://git.invalid/exercises.git", "namespace": "cs"}
        with httpx.Client(
            base_url=f"{deployment.address}/api/v1", headers={"Authorization": f"Bearer {token}"}
        ) as root:
            root.post("/operations/exercises", json=wanted).raise_for_status()
            deadline = time.monotonic() + PATIENCE_S
            while (fetch := root.get("/operations/exercises").json()["fetches"][0])["state"] != "refused":
                assert time.monotonic() < deadline, fetch
                time.sleep(0.5)
        assert "git.invalid" in fetch["reason"]  # in the words of git
    deployment.await_healthy()
    assert "verifier" not in deployment.compose("ps", "--services")


# --- observed --------------------------------------------------------------------------------------------------------

# What is counted only once it has happened: here nothing goes wrong, and no mail is sent.
QUIET = ("requeues", "given_up", "5..", "phase", "sandbox", "mails", "wrong_sign_ins")


def test_prometheus_finds_everybody_and_answers_what_the_dashboard_asks(
    deployment: Deployment, request: pytest.FixtureRequest
) -> None:
    if not has_image("assay-prometheus"):
        pytest.skip(f"{NOT_RUN}no image of Prometheus")
    deployment.compose("--profile", "observe", "up", "--detach", "--no-build", "prometheus")
    ask = lambda query: deployment.inside("prometheus", "promtool", "query", "instant", "http://127.0.0.1:9090", query)  # noqa: E731
    deadline = time.monotonic() + PATIENCE_S
    while "=> 2 @" not in (told := _asked(ask, 'count(up{job=~"assay.*"} == 1)')):
        assert time.monotonic() < deadline, told
        time.sleep(1)
    time.sleep(31)  # rates need two looks
    dashboard = json.loads((ROOT / "deploy" / "observe" / "dashboard.json").read_text(encoding="utf-8"))
    silent = [
        target["expr"]
        for panel in dashboard["panels"]
        for target in panel["targets"]
        if not ask(target["expr"]).strip()
    ]
    assert silent == [query for query in silent if any(word in query for word in QUIET)]
    firing = _asked(ask, 'ALERTS{alertstate="firing"}')
    assert not firing.strip()
    note(request.config, "prometheus", "asked what the dashboard asks")
    note(
        request.config,
        "grafana",
        f"{NOT_RUN}its image comes from a registry; the dashboard's queries ran in Prometheus",
    )


def _asked(ask, query: str) -> str:
    try:
        return ask(query)
    except AssertionError:  # it is starting
        return ""


def test_the_alerts_are_rules_that_prometheus_takes(deployment: Deployment) -> None:
    rules: Path = ROOT / "deploy" / "alerts.yml"
    place = ("--rm", "--volume", f"{rules}:/alerts.yml:ro", "--entrypoint", "promtool")
    assert "SUCCESS" in docker("run", *place, "assay-prometheus", "check", "rules", "/alerts.yml")
