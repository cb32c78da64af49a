"""What docker-compose.yml and the Dockerfile promise, read from the files; `make test-compose` sees it in service."""

import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from app.settings import known_names
from assay.cli import COMMANDS
from assay.exercises.settings import PREFIX as VERIFIER_PREFIX
from assay.exercises.settings import VerifierSettings
from worker.runner_settings import PREFIX as RUNNER_PREFIX
from worker.runner_settings import RunnerSettings
from worker.settings import PREFIX as WORKER_PREFIX
from worker.settings import WorkerSettings

ROOT = Path(__file__).parents[2]
COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
STAGES = set(re.findall(r"^FROM \S+ AS (\S+)", DOCKERFILE, re.MULTILINE))


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_is_confined(name: str) -> None:
    service = SERVICES[name]
    assert service["read_only"]
    assert service["cap_drop"] == ["ALL"]
    assert "no-new-privileges:true" in service["security_opt"]
    assert not {"privileged", "cap_add", "devices", "pid"} & service.keys()
    assert service.get("network_mode", "none") == "none"
    assert "docker.sock" not in str(service.get("volumes", ""))
    assert 0 < service["pids_limit"] <= 1024


def test_every_image_of_others_can_be_named_by_its_digest() -> None:
    """A variable for each, which deploy/pin-images fills in; a Dockerfile takes its base by argument and no other."""
    for name, service in SERVICES.items():
        assert re.fullmatch(r"\$\{ASSAY_[A-Z_]+_IMAGE:-[^}]+\}", service["image"]), name
    for path in (ROOT / "Dockerfile", ROOT / "deploy" / "debian" / "Dockerfile"):
        text = path.read_text(encoding="utf-8")
        stages = set(re.findall(r"^FROM \S+ AS (\S+)", text, re.MULTILINE))
        assert set(re.findall(r"^FROM (\S+)", text, re.MULTILINE)) <= stages | {"${BASE}", "scratch"}
        assert not re.findall(r"COPY --from=(?!\w[\w-]* )", text)
    base = re.search(r"^ARG BASE=(.*)$", DOCKERFILE, re.MULTILINE)
    assert base
    assert f"${{ASSAY_BASE_IMAGE:-{base[1]}}}" in str(SERVICES["api"]["build"])


def test_images_of_others_are_pinned_by_what_their_registry_says(tmp_path: Path) -> None:
    """With a `docker` that answers as Docker does once it has pulled: no registry is reached here."""
    docker = tmp_path / "docker"
    said = "case $1 in pull) ;; image) printf '%s@sha256:%064d' other 7;; esac"
    docker.write_text(f'#!/bin/sh\necho "$@" >>{tmp_path}/asked\n{said}\n', encoding="utf-8")
    docker.chmod(0o755)
    told = {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    file = tmp_path / ".env"
    file.write_text("ASSAY_LISTEN=127.0.0.1:8000\nASSAY_REDIS_IMAGE=redis@sha256:old\n", encoding="utf-8")
    for _ in range(2):
        subprocess.run(["sh", ROOT / "deploy" / "pin-images", file], env=told, check=True, stdout=subprocess.DEVNULL)
    lines = file.read_text(encoding="utf-8").splitlines()
    variables = re.findall(r"\$\{(ASSAY_\w+_IMAGE):-[\w./-]+:", (ROOT / "docker-compose.yml").read_text("utf-8"))
    assert sorted(line.partition("=")[0] for line in lines) == sorted({*variables, "ASSAY_LISTEN"})
    assert f"ASSAY_REDIS_IMAGE=redis@sha256:{7:064d}" in lines
    assert f"ASSAY_BASE_IMAGE=python@sha256:{7:064d}" in lines
    command = ["sh", ROOT / "deploy" / "pin-images", "--kubernetes"]
    printed = subprocess.run(command, env=told, check=True, capture_output=True, text=True).stdout
    assert {image["name"] for image in yaml.safe_load(printed)} == {"postgres", "redis"}
    docker.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    refused = subprocess.run(["sh", ROOT / "deploy" / "pin-images", file], env=told, check=False, capture_output=True)
    assert refused.returncode == 1
    assert file.read_text(encoding="utf-8").splitlines() == lines


def test_runners_have_no_network_and_judges_reach_redis_alone() -> None:
    for runner in (SERVICES["runner"], SERVICES["runner-gpu"]):
        assert (runner["network_mode"], runner["ipc"], "secrets" in runner) == ("none", "none", False)
        assert "seccomp:./deploy/seccomp-runner.json" in runner["security_opt"]
    worker = SERVICES["worker"]
    beside = {name for name, service in SERVICES.items() if set(service.get("networks", ())) & set(worker["networks"])}
    assert beside == {"worker", "worker-gpu", "redis"}
    assert {name for name, network in COMPOSE["networks"].items() if not network.get("internal")} == {"outside"}


def test_a_way_out_is_for_those_who_need_it() -> None:
    """The front end asks platforms and providers; a recorder goes to a mail server, where that is wanted."""
    internal = {name for name, network in COMPOSE["networks"].items() if network.get("internal")}
    goes_out = {name for name, service in SERVICES.items() if set(service.get("networks", ())) - internal}
    assert goes_out == {"api", "grafana"}
    mail = yaml.safe_load((ROOT / "deploy" / "mail.yml").read_text(encoding="utf-8"))
    assert {name for name, service in mail["services"].items() if service.get("networks")} == {"recorder"}
    recorder = mail["services"]["recorder"]
    assert recorder["networks"] == ["mail"] == list(mail["networks"])
    assert recorder["secrets"] == [{"source": "smtp_password", "target": "assay_smtp_password"}]
    told = {name for service in mail["services"].values() for name in service["environment"]}
    assert told <= set(known_names())


def test_a_service_is_given_the_secrets_that_it_reads_and_no_other() -> None:
    given = {
        name: {secret if isinstance(secret, str) else secret["target"] for secret in service.get("secrets", ())}
        for name, service in SERVICES.items()
    }
    assert given == {
        "postgres": {"postgres_password"},
        "redis": {"redis_users"},
        "migrate": {"assay_database_url"},
        "api": {"assay_database_url", "assay_redis_url", "assay_secret_key"},
        "recorder": {"assay_database_url", "assay_redis_url"},
        "worker": {"assay_worker_redis_url"},
        "worker-gpu": {"assay_worker_redis_url"},
        "runner": set(),
        "runner-gpu": set(),
        "prometheus": set(),
        "grafana": {"grafana_password"},
    }
    accounts = {name: str(service.get("secrets")) for name, service in SERVICES.items() if "redis_url" in str(service)}
    assert all(f"redis_url_{name.removesuffix('-gpu')}" in told for name, told in accounts.items())


def test_every_service_is_watched() -> None:
    """By a health check of its image, or by one of its own; `migrate` ends."""
    assert "FROM worker AS worker-gpu" in DOCKERFILE
    by_image = {stage for stage in STAGES if "HEALTHCHECK" in _stage("worker" if stage == "worker-gpu" else stage)}
    for name, service in SERVICES.items():
        assert service.get("build", {}).get("target") in by_image or "healthcheck" in service, name
    unwatched = {name for name, service in SERVICES.items() if service.get("healthcheck", {}).get("disable")}
    assert unwatched == {"migrate"}


@pytest.mark.parametrize("stage", ["worker", "runner", "runner-gpu"])
def test_what_imports_torch_may_take_minutes_to_start(stage: str) -> None:
    """`docker-compose up` gives up when a runner that a judge awaits is called unhealthy; a busy machine takes long."""
    granted = re.search(r"^HEALTHCHECK .*--start-period=(\d+)s", _stage(stage), re.MULTILINE)
    assert granted
    assert int(granted[1]) >= 180


@pytest.mark.parametrize("file", ["base/worker.yaml", "gpu/worker-gpu.yaml"])
def test_what_imports_torch_may_take_minutes_to_start_on_kubernetes_too(file: str) -> None:
    text = (ROOT / "deploy" / "kubernetes" / file).read_text(encoding="utf-8")
    patience = r"startupProbe:.*?periodSeconds: (\d+).*?failureThreshold: (\d+)"
    granted = [int(period_s) * int(times) for period_s, times in re.findall(patience, text, re.DOTALL)]
    assert len(granted) == 2  # runner and judge
    assert min(granted) >= 180


def test_kubernetes_looks_for_the_signs_of_life_that_docker_looks_for() -> None:
    base = ROOT / "deploy" / "kubernetes"
    signs = {
        "base/worker.yaml": _signs(_stage("runner")) | _signs(_stage("worker")),
        "gpu/worker-gpu.yaml": _signs(_stage("runner-gpu")) | _signs(_stage("worker")),
        "base/recorder.yaml": _signs(str(SERVICES["recorder"]["healthcheck"]["test"])),
    }
    for file, wanted in signs.items():
        assert _signs((base / file).read_text(encoding="utf-8")) == wanted, file
    assert signs["base/worker.yaml"] == {("sandbox",), ("queue", "judge", "runner")}


def _stage(name: str) -> str:
    return DOCKERFILE.partition(f" AS {name}\n")[2].partition("\nFROM ")[0]


def _signs(text: str) -> set[tuple[str, ...]]:
    """What each health check in a text looks for."""
    found = re.findall(r"grader\.alive\W+/tmp/alive\W+(.*)\]", text)
    return {tuple(re.findall(r"\w+", names)) for names in found}


def all_settings() -> set[str]:
    """The variables of every process."""
    forms = {WORKER_PREFIX: WorkerSettings, RUNNER_PREFIX: RunnerSettings, VERIFIER_PREFIX: VerifierSettings}
    own = {f"{prefix}{name.upper()}" for prefix, form in forms.items() for name in form.model_fields}
    return own | set(known_names())


def test_variables_commands_and_stages_are_there() -> None:
    settings = all_settings()
    for service in SERVICES.values():
        assert {name for name in service.get("environment", {}) if name.startswith("ASSAY_")} <= settings
        if "build" in service:
            assert service["build"]["target"] in STAGES
            assert service.get("command", ["assay", "api"])[1] in COMMANDS
    assert set(re.findall(r'^CMD \["assay", "(\w+)"', DOCKERFILE, re.MULTILINE)) <= set(COMMANDS)


def test_a_card_is_for_those_who_ask_for_it_and_for_the_runner_alone() -> None:
    assert {name for name, service in SERVICES.items() if service.get("profiles") == ["gpu"]} == {
        "worker-gpu",
        "runner-gpu",
    }
    assert {name for name, service in SERVICES.items() if "devices" in str(service.get("deploy"))} == {"runner-gpu"}
    assert (ROOT / "Dockerfile").read_text(encoding="utf-8").count("CUDA_INDEX_URL") >= 2
    assert "CUDA_INDEX_URL" in SERVICES["runner-gpu"]["build"]["args"]


def test_every_image_but_the_sandboxes_runs_as_an_ordinary_user() -> None:
    """The sandbox's containers are given a user each time."""
    for stage in ("client", "app", "worker", "runner", "runner-gpu"):
        lines = DOCKERFILE.partition(f" AS {stage}\n")[2].partition("\nFROM ")[0]
        assert "USER 10001:10001" in lines, stage
