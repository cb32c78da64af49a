"""What is in a wheel and in an image is listed as CycloneDX has it, with versions and hashes."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.deploy.test_lock import LOCK, printed

ROOT = Path(__file__).parents[2]
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
PAGES = ROOT / "app" / "web"
PLACE = "/packages.cdx.json /usr/share/doc/assay/"


def listed(file: Path) -> dict[str, Any]:
    """As the schema allows it, or the test fails."""
    from cyclonedx.schema import SchemaVersion  # noqa: PLC0415 - with it come parsers that are built for a second
    from cyclonedx.validation.json import JsonStrictValidator  # noqa: PLC0415

    text = file.read_text(encoding="utf-8")
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None
    found: dict[str, Any] = json.loads(text)
    return found


def make(file: Path, *words: str | Path) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, ROOT / "deploy" / "sbom.py", "assay-test", file, *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("extra", ["server", "worker"])
def test_an_image_s_packages_are_listed_with_their_hashes(tmp_path: Path, extra: str) -> None:
    assert make(tmp_path / "made", extra).returncode == 0
    found = listed(tmp_path / "made")
    assert found["metadata"]["component"]["name"] == "assay-test"
    assert {component["name"] for component in found["components"]} == printed(extra) | printed("--torch", extra)
    for component in found["components"]:
        entry = LOCK.partition(f"\n{component['name']}==")[2].partition("    # via")[0]
        assert re.match(rf"{re.escape(component['version'])}\s", entry)
        assert component["purl"] == f"pkg:pypi/{component['name']}@{component['version']}"
        hashes = {digest["content"] for digest in component["externalReferences"][0]["hashes"]}
        assert set(re.findall(r"sha256:(\w+)", entry)) <= hashes
    (root,) = [edge for edge in found["dependencies"] if len(edge.get("dependsOn", ())) > 1]
    assert len(root["dependsOn"]) == len(found["components"])


def test_what_is_installed_is_listed_and_what_is_not_locked_is_refused(tmp_path: Path) -> None:
    freeze = tmp_path / "freeze"
    freeze.write_text("annotated-types==0.8.0\ntyping_extensions==4.16.0\ntorch==2.13.0+cpu\n", encoding="utf-8")
    assert make(tmp_path / "made", "--installed", freeze).returncode == 0
    names = [component["name"] for component in listed(tmp_path / "made")["components"]]
    assert names == ["annotated-types", "torch", "typing-extensions"]
    freeze.write_text("stranger==1.0\n", encoding="utf-8")
    refused = make(tmp_path / "none", "--installed", freeze)
    assert refused.returncode == 1
    assert "stranger" in refused.stderr
    assert not (tmp_path / "none").exists()


def test_what_the_editor_is_made_of_is_listed_as_its_licences_are(tmp_path: Path) -> None:
    assert make(tmp_path / "made", "server", "--bundled", PAGES / "editor" / "package-lock.json").returncode == 0
    components = [each for each in listed(tmp_path / "made")["components"] if each["purl"].startswith("pkg:npm/")]
    names = {f"{each.get('group', '')}/{each['name']} {each['version']}".removeprefix("/") for each in components}
    licences = (PAGES / "static" / "editor.licences.txt").read_text(encoding="utf-8")
    assert names == set(re.findall(r"^--- (.+)$", licences, re.MULTILINE))
    for component in components:
        (digest,) = component["externalReferences"][0]["hashes"]
        assert (digest["alg"], len(digest["content"])) == ("SHA-512", 128)


def test_the_client_s_wheel_has_its_list_beside_it(tmp_path: Path) -> None:
    subprocess.run([sys.executable, ROOT / "scripts" / "client_wheel.py", tmp_path], check=True, capture_output=True)
    assert len(list(tmp_path.glob("*.whl"))) == 1
    found = listed(tmp_path / "assay-client.cdx.json")
    assert {component["name"] for component in found["components"]} == printed()


def test_every_image_carries_its_list() -> None:
    """`worker` and `runner` begin with `torch`; `sandbox` has no place for it: students' code is in there."""
    for stage in ("client", "app", "torch", "torch-gpu"):
        lines = DOCKERFILE.partition(f" AS {stage}\n")[2].partition("\nFROM ")[0]
        assert PLACE in lines, stage
    for stage, base in (
        ("worker", "torch"),
        ("runner", "torch"),
        ("runner-gpu", "torch-gpu"),
        ("worker-gpu", "worker"),
    ):
        assert f"FROM {base} AS {stage}\n" in DOCKERFILE
