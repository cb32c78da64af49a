"""The manifests in `deploy/kubernetes` are what Kubernetes takes, and are true of the code that they run."""

import importlib
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from ipaddress import ip_address, ip_network
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml

from app.settings import RecorderSettings, known_names
from assay.cli import COMMANDS
from assay.exercises.settings import PREFIX as VERIFIER_PREFIX
from assay.exercises.settings import VerifierSettings
from tests.app.test_operations import metrics
from tests.deploy.test_files import all_settings
from tests.not_run import NOT_RUN, note
from worker.settings import PREFIX as WORKER_PREFIX
from worker.settings import WorkerSettings

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "deploy" / "kubernetes"
NAME = "app.kubernetes.io/name"
OLDEST = "1.29"  # restartable init containers
NOT_OF_KUBERNETES = {"ScaledObject", "Kustomization", "Component"}
SECCOMP = {"RuntimeDefault", "Localhost"}


def read(path: Path) -> list[dict[str, Any]]:
    return [document for document in yaml.safe_load_all(path.read_text(encoding="utf-8")) if document]


FILES = sorted(path for path in FOLDER.rglob("*.yaml") if "secrets" not in path.parts)
EVERYTHING = [(path, document) for path in FILES for document in read(path)]
KUSTOMIZATION = read(FOLDER / "kustomization.yaml")[0]


def of_kind(*kinds: str) -> list[dict[str, Any]]:
    return [document for _, document in EVERYTHING if document["kind"] in kinds]


def pods() -> Iterator[tuple[str, dict[str, Any]]]:
    """The pods of the namespace `assay`."""
    for workload in of_kind("Deployment", "StatefulSet"):
        yield workload["metadata"]["name"], workload["spec"]["template"]["spec"]


def containers() -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    for name, pod in pods():
        for container in (*pod.get("initContainers", ()), *pod["containers"]):
            yield f"{name}/{container['name']}", pod, container


PODS = [pytest.param(pod, id=name) for name, pod in pods()]
CONTAINERS = [pytest.param(pod, container, id=name) for name, pod, container in containers()]


@pytest.fixture(scope="module")
def validator() -> ModuleType:
    """It makes parsers for a second when it is imported, which the processes that run other files can do without."""
    return importlib.import_module("kubernetes_validate")


@pytest.mark.parametrize("version", [OLDEST, "newest"])
def test_every_manifest_is_one_that_kubernetes_takes(validator: ModuleType, version: str) -> None:
    asked = validator.latest_version() if version == "newest" else version
    for _, document in EVERYTHING:
        if document["kind"] not in NOT_OF_KUBERNETES:
            validator.validate(document, asked, strict=True)


def test_the_validator_finds_a_mistake(validator: ModuleType) -> None:
    broken = of_kind("Deployment")[0] | {"spec": {"replicaz": 2}}
    with pytest.raises(validator.ValidationError):
        validator.validate(broken, OLDEST, strict=True)


def test_kustomize_knows_every_file_and_no_other() -> None:
    for path, document in EVERYTHING:
        if document["kind"] in ("Kustomization", "Component"):
            named = {*document.get("resources", ()), *document.get("components", ())}
            beside = {file.name for file in path.parent.glob("*.yaml")} - {"kustomization.yaml"}
            assert beside == {name for name in named if name.endswith(".yaml")}, path
            assert all((path.parent / name).exists() for name in named), path


def test_kustomize_makes_all_of_it(tmp_path: Path, request: pytest.FixtureRequest, validator: ModuleType) -> None:
    if not shutil.which("kubectl"):
        note(request.config, "kustomize", f"{NOT_RUN}kubectl is missing; each manifest was validated by itself")
        pytest.skip(f"{NOT_RUN}kubectl is missing")
    note(request.config, "kustomize", "made all of deploy/kubernetes")
    shutil.copytree(ROOT / "deploy", tmp_path / "deploy", ignore=shutil.ignore_patterns("secrets"))
    secrets = tmp_path / "deploy" / "kubernetes" / "secrets"
    subprocess.run(["sh", ROOT / "deploy" / "make-secrets", secrets], check=True, stdout=subprocess.DEVNULL)
    (secrets / "receipt_key.pem").touch()
    whole = tmp_path / "deploy" / "kubernetes" / "kustomization.yaml"
    whole.write_text(whole.read_text(encoding="utf-8").replace("  # - ", "  - "), encoding="utf-8")
    for folder in ("kubernetes", "kubernetes/node"):
        command = ["kubectl", "kustomize", "--load-restrictor=LoadRestrictionsNone", tmp_path / "deploy" / folder]
        made = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        documents = list(yaml.safe_load_all(made))
        for document in documents:
            if document["kind"] not in NOT_OF_KUBERNETES:
                validator.validate(document, OLDEST, strict=True)
        assert not re.search(r"image: assay-", made)  # each is named where it comes from
        names = {document["metadata"].get("namespace") for document in documents} - {None}
        assert names == {"assay" if folder == "kubernetes" else "assay-node"}


# --- pod security ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pod", PODS)
def test_a_pod_keeps_to_restricted(pod: dict[str, Any]) -> None:
    """As https://kubernetes.io/docs/concepts/security/pod-security-standards has it."""
    assert not {"hostNetwork", "hostPID", "hostIPC"} & pod.keys()
    assert pod["securityContext"]["runAsNonRoot"]
    assert pod["securityContext"]["runAsUser"] > 0
    assert pod["securityContext"]["seccompProfile"]["type"] in SECCOMP
    kinds = {kind for volume in pod.get("volumes", ()) for kind in volume if kind != "name"}
    assert kinds <= {"configMap", "emptyDir", "persistentVolumeClaim", "projected", "secret"}
    assert pod["automountServiceAccountToken"] is False  # more than `restricted` asks


@pytest.mark.parametrize(("pod", "container"), CONTAINERS)
def test_a_container_keeps_to_restricted(pod: dict[str, Any], container: dict[str, Any]) -> None:
    security = container["securityContext"]
    assert security["allowPrivilegeEscalation"] is False
    assert security["capabilities"] == {"drop": ["ALL"]}
    assert security["readOnlyRootFilesystem"]
    assert not {"privileged", "procMount", "runAsUser"} & security.keys()
    assert security.get("seccompProfile", {"type": "RuntimeDefault"})["type"] in SECCOMP
    assert not any("hostPort" in port for port in container.get("ports", ()))


def test_only_what_lays_the_profile_onto_nodes_is_an_exception() -> None:
    namespaces = {space["metadata"]["name"]: space["metadata"]["labels"] for space in of_kind("Namespace")}
    level = {name: labels["pod-security.kubernetes.io/enforce"] for name, labels in namespaces.items()}
    assert level == {"assay": "restricted", "assay-node": "privileged"}
    (installer,) = of_kind("DaemonSet")
    pod = installer["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    assert container["securityContext"] == {
        "runAsUser": 0,
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    (host,) = [volume["hostPath"]["path"] for volume in pod["volumes"] if "hostPath" in volume]
    asked = runner()["securityContext"]["seccompProfile"]["localhostProfile"]
    assert Path(host) / "runner.json" == Path("/var/lib/kubelet/seccomp") / asked


def runner() -> dict[str, Any]:
    return next(container for name, _, container in containers() if name == "worker/runner")


# --- who is told what ------------------------------------------------------------------------------------------------


def test_secrets_are_files_that_the_services_read() -> None:
    made = {secret["name"]: {_key(file) for file in secret["files"]} for secret in KUSTOMIZATION["secretGenerator"]}
    settings = {name.lower() for name in known_names()} | {
        f"{prefix}{name}".lower()
        for prefix, form in ((WORKER_PREFIX, WorkerSettings), (VERIFIER_PREFIX, VerifierSettings))
        for name in form.model_fields
    }
    read_by_name = {"redis_users", "postgres_password", "receipt_key.pem"}
    assert {key for keys in made.values() for key in keys} <= settings | read_by_name
    used = {volume["secret"]["secretName"] for _, pod in pods() for volume in pod["volumes"] if "secret" in volume}
    assert used == set(made)
    for name, _, container in containers():
        assert not [
            told
            for told in container.get("env", ())
            if "secret" in json.dumps(told).lower().replace("/run/secrets/", "")
        ], name


def test_the_runner_is_given_no_secret() -> None:
    assert {mount["name"] for mount in runner()["volumeMounts"]} == {"socket", "runner-tmp"}
    assert "envFrom" not in runner()


def _key(file: str) -> str:
    return file.partition("=")[0] if "=" in file else Path(file).name


def test_every_variable_is_a_setting() -> None:
    settings = all_settings()
    told = set(re.findall(r"\bASSAY_\w+", "\n".join(path.read_text(encoding="utf-8") for path in FILES)))
    assert told <= settings, told - settings


@pytest.mark.parametrize(("pod", "container"), CONTAINERS)
def test_a_container_is_watched_bounded_and_runs_a_command_of_ours(
    pod: dict[str, Any], container: dict[str, Any]
) -> None:
    if container["image"] == "assay-app" and "command" in container:
        assert container["command"][0] == "assay"
        assert container["command"][1] in COMMANDS
    assert {"cpu", "memory"} <= container["resources"]["requests"].keys()
    assert "memory" in container["resources"]["limits"]
    if container["name"] != "migrate":
        assert {"startupProbe", "livenessProbe"} <= container.keys()


# --- who reaches whom ------------------------------------------------------------------------------------------------


OUT_OF_THE_CLUSTER = {"api-outside", "recorder-mail", "repositories"}  # of components that open a way out


def policies() -> dict[str, dict[str, Any]]:
    """What holds within the cluster."""
    named = {policy["metadata"]["name"]: policy["spec"] for policy in of_kind("NetworkPolicy")}
    assert named.keys() >= OUT_OF_THE_CLUSTER
    return {name: spec for name, spec in named.items() if name not in OUT_OF_THE_CLUSTER}


def reaches(policy: dict[str, Any], address: str, port: int) -> bool:
    """Whether a policy lets its pods go to an address."""
    asked = ip_address(address)
    return any(
        any(told == {"protocol": "TCP", "port": port} for told in rule["ports"])
        and asked in ip_network(to["ipBlock"]["cidr"])
        and not any(asked in ip_network(each) for each in to["ipBlock"].get("except", ()))
        for rule in policy["egress"]
        for to in rule["to"]
    )


def test_nobody_reaches_anybody_but_as_told() -> None:
    everyone = policies()
    assert everyone.pop("nothing") == {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}
    names = everyone.pop("names")
    assert all(set(policy["policyTypes"]) == {"Ingress", "Egress"} for policy in everyone.values())
    reached = {
        name: {rule["to"][0]["podSelector"]["matchLabels"][NAME] for rule in policy.get("egress", ())}
        for name, policy in everyone.items()
    }
    data = {"redis", "postgres"}
    assert reached == {
        **{"api": data, "recorder": data, "worker": {"redis"}, "worker-gpu": {"redis"}, "verifier": {"redis"}},
        **{"redis": set(), "postgres": set()},
    }
    assert set(reached) == {name for name, _ in pods()}
    for name, targets in reached.items():
        for target in targets:  # who may go there is let in there
            assert name in json.dumps(everyone[target]["ingress"])
    (asking,) = names["podSelector"]["matchExpressions"]
    assert set(asking["values"]) == {name for name, targets in reached.items() if targets}


def test_whoever_reaches_the_front_end_reaches_nothing_else() -> None:
    """The recorder's metrics are Prometheus's alone, and no rule lets a whole namespace in on every port."""
    let_in = {
        (name, *selector.items(), port["port"])
        for name, policy in policies().items()
        for rule in policy.get("ingress", ())
        for source in rule["from"]
        for selector in [source.get("namespaceSelector", {}).get("matchLabels")]
        if selector
        for port in rule["ports"]
    }
    assert let_in == {
        ("api", ("assay.example/reaches", "api"), "http"),
        ("api", ("assay.example/reads", "metrics"), "http"),
        ("recorder", ("assay.example/reads", "metrics"), "metrics"),
    }
    rules = [rule for policy in policies().values() for rule in (*policy.get("ingress", ()), *policy.get("egress", ()))]
    assert all(rule.get("ports") and (rule.get("from") or rule.get("to")) for rule in rules)
    assert not [rule for rule in rules if "ipBlock" in json.dumps(rule)]


def test_front_ends_reach_the_world_over_https_and_nothing_private() -> None:
    (policy,) = read(FOLDER / "outside" / "network.yaml")
    spec = policy["spec"]
    assert (spec["podSelector"], spec["policyTypes"]) == ({"matchLabels": {NAME: "api"}}, ["Egress"])
    assert reaches(spec, "8.8.8.8", 443)
    assert reaches(spec, "2001:4860:4860::8888", 443)
    assert not reaches(spec, "8.8.8.8", 80)
    inside = ("10.96.0.1", "172.17.0.1", "192.168.1.1", "100.64.0.1", "127.0.0.1", "0.0.0.0", "169.254.169.254")
    for address in (*inside, "::1", "fd00::1", "fe80::1", "::ffff:10.0.0.1", "64:ff9b::a00:1"):
        assert not reaches(spec, address, 443), address


def test_recorders_reach_one_mail_server_and_nothing_else() -> None:
    (policy,) = read(FOLDER / "mail" / "network.yaml")
    spec = policy["spec"]
    assert (spec["podSelector"], spec["policyTypes"]) == ({"matchLabels": {NAME: "recorder"}}, ["Egress"])
    assert ports_of_one_address(spec) == [RecorderSettings.model_fields["smtp_port"].default]


def test_judges_and_the_verifier_reach_one_host_of_repositories() -> None:
    (spec,) = [policy["spec"] for policy in of_kind("NetworkPolicy") if policy["metadata"]["name"] == "repositories"]
    (chosen,) = spec["podSelector"]["matchExpressions"]
    assert (chosen["operator"], chosen["values"], spec["policyTypes"]) == ("In", ["verifier", "worker"], ["Egress"])
    assert ports_of_one_address(spec) == [443, 22]


def ports_of_one_address(policy: dict[str, Any]) -> list[int]:
    """The ports of the only address that a policy lets its pods go to."""
    (rule,) = policy["egress"]
    (to,) = rule["to"]
    assert ip_network(to["ipBlock"]["cidr"]).num_addresses == 1
    assert all(port["protocol"] == "TCP" for port in rule["ports"])
    return [port["port"] for port in rule["ports"]]


def test_judges_and_verifiers_each_know_their_own_password_of_the_queue() -> None:
    holders = {
        secret: {
            name
            for name, pod in pods()
            if secret in (volume.get("secret", {}).get("secretName") for volume in pod["volumes"])
        }
        for secret in ("worker", "verifier")
    }
    assert holders == {"worker": {"worker", "worker-gpu"}, "verifier": {"verifier"}}


def test_the_patch_of_judges_fits_them() -> None:
    """It appends to lists of the first container, which is the judge."""
    (patch,) = read(FOLDER / "exercises" / "kustomization.yaml")[0]["patches"]
    target, operations = patch["target"], yaml.safe_load(patch["patch"])
    (worker,) = [each for each in of_kind(target["kind"]) if each["metadata"]["name"] == target["name"]]
    assert worker["spec"]["template"]["spec"]["containers"][0]["name"] == "worker"
    for operation in operations:
        place: Any = worker
        *steps, last = operation["path"].strip("/").split("/")
        for step in steps:
            place = place[int(step)] if isinstance(place, list) else place[step]
        assert (operation["op"], last, type(place)) == ("add", "-", list)


def test_a_pod_s_processes_are_limited_by_the_kubelet(validator: ModuleType) -> None:
    """The only place for it: a pod has no such field, as the validator says."""
    (told,) = read(FOLDER / "node" / "kubelet.conf")
    assert (told["apiVersion"], told["kind"]) == ("kubelet.config.k8s.io/v1beta1", "KubeletConfiguration")
    compose = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))["services"]
    assert compose["runner"]["pids_limit"] < told["podPidsLimit"] <= 4096
    limited = json.loads(json.dumps(of_kind("Deployment")[0]))
    limited["spec"]["template"]["spec"]["podPidsLimit"] = 2048
    with pytest.raises(validator.ValidationError):
        validator.validate(limited, validator.latest_version(), strict=True)
    assert "podPidsLimit" in (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8")


def test_every_image_can_be_named_by_its_digest() -> None:
    """In one place: what the components take from others, too."""
    used = {container["image"].partition(":")[0] for _, _, container in containers()}
    assert {image["name"] for image in KUSTOMIZATION["images"]} == used


def test_services_and_budgets_choose_pods_that_are_there() -> None:
    names = {name for name, _ in pods()}
    assert {service["spec"]["selector"][NAME] for service in of_kind("Service")} <= names
    budgets = {budget["spec"]["selector"]["matchLabels"][NAME] for budget in of_kind("PodDisruptionBudget")}
    assert budgets == {"api", "recorder", "worker"}


# --- scaling ---------------------------------------------------------------------------------------------------------


def test_judges_are_scaled_by_the_line() -> None:
    (scaled,) = of_kind("ScaledObject")
    (trigger,) = scaled["spec"]["triggers"]
    assert scaled["spec"]["scaleTargetRef"]["name"] in {name for name, _ in pods()}
    assert trigger["type"] == "prometheus"
    assert set(trigger["metadata"]) == {"serverAddress", "query", "threshold"}
    assert set(re.findall(r"assay_\w+", trigger["metadata"]["query"])) <= set(metrics())


def test_enough_is_sent_ahead_for_all_judges_that_may_run() -> None:
    (scaled,) = of_kind("ScaledObject")
    (worker,) = [container for name, _, container in containers() if name == "worker/worker"]
    told = {variable["name"]: variable["value"] for variable in worker["env"]}
    judges = scaled["spec"]["maxReplicaCount"] * int(told["ASSAY_WORKER_CONCURRENCY"])
    literals = dict(
        text.split("=") for text in read(FOLDER / "base" / "kustomization.yaml")[0]["configMapGenerator"][0]["literals"]
    )
    assert int(literals["ASSAY_QUEUE_AHEAD"]) == 2 * judges
