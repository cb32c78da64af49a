"""What is installed is what requirements.lock names, file by file; tried with wheels that are made here."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import venv
import zipfile
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
OF_THE_MACHINE = "PIP_"  # where this machine's packages come from is nothing to these tests


def printed(*words: str) -> set[str]:
    script = [sys.executable, str(ROOT / "deploy" / "dependencies.py"), *words]
    text = subprocess.run(script, capture_output=True, text=True, check=True).stdout
    return set(re.findall(r"^([a-z0-9-]+)==", text, re.MULTILINE))


def test_every_package_is_locked_with_the_hashes_of_its_files_and_no_address() -> None:
    entries = re.split(r"\n(?=[a-z0-9])", LOCK.partition("\n")[2])
    assert len(entries) > 100
    for entry in entries:
        assert re.match(r"[a-z0-9-]+==\S+", entry), entry
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", entry), entry.splitlines()[0]
    assert "://" not in LOCK


def test_the_lock_holds_on_other_platforms_and_later_pythons() -> None:
    """Not only what this machine would take: `numpy` for every Python, and what only others need."""
    numpy = LOCK.partition("\nnumpy==")[2].partition("    # via")[0]
    assert numpy.count("--hash") > 40
    assert re.search(r"^async-timeout==\S+ ; python_full_version < '3.11.3'", LOCK, re.MULTILINE)


@pytest.mark.parametrize("extras", [(), ("server",), ("worker",), ("embedded",), ("dev",)], ids=str)
def test_an_extra_gets_all_that_it_needs_here(extras: tuple[str, ...]) -> None:
    """As the installed packages tell it of themselves."""
    given = printed(*extras) | printed("--torch", *extras)
    missing = {name for name in _needed(extras) if name not in given}
    assert missing == set()


def _needed(extras: tuple[str, ...]) -> set[str]:
    found: set[str] = set()
    waiting = [Requirement(f"assay[{','.join(extras)}]")]
    while waiting:
        asked = waiting.pop()
        for line in distribution(asked.name).requires or []:
            requirement = Requirement(line)
            marker = requirement.marker
            if marker and not any(marker.evaluate({"extra": extra}) for extra in ("", *asked.extras)):
                continue
            if (name := canonicalize_name(requirement.name)) not in found or requirement.extras:
                waiting.append(requirement)
            if name != "assay":
                found.add(name)
            if len(found) > 500:
                raise AssertionError(found)
    return found


def test_the_student_s_client_stays_light_and_the_front_end_has_no_torch() -> None:
    assert len(printed()) <= 25
    assert not {"torch", "fastapi", "celery"} & printed()
    assert printed("--torch", "server") == printed("--cuda", "server") == set()
    assert printed("--torch", "worker") == {"torch"}
    assert not [name for name in printed("worker") if name.startswith("nvidia-") and name != "nvidia-ml-py"]


# --- by their hashes -------------------------------------------------------------------------------------------------


class Place:
    """A project of its own, with one dependency and a folder of wheels; nothing else is asked."""

    def __init__(self, folder: Path, name: str, version: str) -> None:
        self.folder = folder
        self.name = name
        shutil.copytree(ROOT / "deploy", folder / "deploy", ignore=shutil.ignore_patterns("kubernetes", "observe"))
        project = {"name": "assay", "dependencies": [f"{name}=={version}"]}
        lines = "\n".join(f"{key} = {json.dumps(value)}" for key, value in project.items())
        (folder / "pyproject.toml").write_text(f"[project]\n{lines}\n", encoding="utf-8")
        venv.create(folder / "venv", symlinks=True)

    def wheel(self, version: str, text: str = "") -> str:
        """Its SHA-256."""
        path = self.folder / "wheels" / f"{self.name}-{version}-py3-none-any.whl"
        path.parent.mkdir(exist_ok=True)
        about = f"{self.name}-{version}.dist-info"
        contents = {
            f"{self.name}.py": text,
            f"{about}/METADATA": f"Metadata-Version: 2.1\nName: {self.name}\nVersion: {version}\n",
            f"{about}/WHEEL": "Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
            f"{about}/RECORD": "",
        }
        with zipfile.ZipFile(path, "w") as file:
            for name, content in contents.items():
                file.writestr(zipfile.ZipInfo(name), content)  # without the hour: the same text is the same file
        return hashlib.sha256(path.read_bytes()).hexdigest()

    def lock(self, version: str, digest: str) -> None:
        text = f"{self.name}=={version} \\\n    --hash=sha256:{digest}\n    # via assay (pyproject.toml)\n"
        (self.folder / "requirements.lock").write_text(text, encoding="utf-8")

    def install(self, **told: str) -> "subprocess.CompletedProcess[str]":
        environment = {name: value for name, value in os.environ.items() if not name.startswith(OF_THE_MACHINE)}
        local = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(self.folder / "wheels"), "PIP_CONFIG_FILE": os.devnull}
        command = [sys.executable, self.folder / "deploy" / "install.py", str(self.folder / "venv")]
        return subprocess.run(
            command, env={**environment, **local, **told}, capture_output=True, text=True, check=False
        )

    def is_installed(self) -> bool:
        return bool(list((self.folder / "venv").glob(f"lib/python*/site-packages/{self.name}.py")))

    def installed_versions(self) -> set[str]:
        found = (self.folder / "venv").glob(f"lib/python*/site-packages/{self.name}-*.dist-info")
        return {path.name.removesuffix(".dist-info").partition("-")[2] for path in found}


def test_a_file_that_is_not_the_locked_one_is_refused(tmp_path: Path) -> None:
    place = Place(tmp_path, "tiny", "1.0")
    place.lock("1.0", place.wheel("1.0", "honest = True"))
    place.wheel("1.0", "honest = False")
    refused = place.install()
    assert refused.returncode != 0
    assert "DO NOT MATCH THE HASHES" in refused.stderr
    assert not place.is_installed()
    place.wheel("1.0", "honest = True")
    assert place.install().returncode == 0
    assert place.is_installed()


def test_a_build_of_torch_that_is_not_known_is_taken_by_its_hash_only(tmp_path: Path) -> None:
    place = Place(tmp_path, "torch", "2.13.0")
    place.lock("2.13.0", "0" * 64)
    digest = place.wheel("2.13.0+cpu")
    refused = place.install()
    assert refused.returncode != 0
    assert "DO NOT MATCH THE HASHES" in refused.stderr
    assert place.install(ASSAY_TORCH_SHA256=digest).returncode == 0
    assert place.is_installed()


def test_a_named_build_in_a_folder_is_taken_although_an_index_announces_the_registry_s(tmp_path: Path) -> None:
    """pip by itself prefers what is announced by a hash that it was given: nobody would get the build for the CPU."""
    place = Place(tmp_path, "torch", "2.13.0")
    digest = place.wheel("2.13.0", "of_the_registry = True")
    place.lock("2.13.0", digest)
    page = tmp_path / "index" / "torch"
    page.mkdir(parents=True)
    wheel = tmp_path / "wheels" / "torch-2.13.0-py3-none-any.whl"
    wheel = wheel.rename(page / wheel.name)
    (page / "index.html").write_text(f'<a href="{wheel.name}#sha256={digest}">{wheel.name}</a>', encoding="utf-8")
    index = {"PIP_NO_INDEX": "0", "PIP_INDEX_URL": page.parent.as_uri()}
    assert place.install(**index).returncode == 0
    assert place.installed_versions() == {"2.13.0"}
    named = place.wheel("2.13.0+cpu")
    venv.create(tmp_path / "venv", symlinks=True, clear=True)
    assert place.install(**index, ASSAY_TORCH_SHA256=named).returncode == 0
    assert place.installed_versions() == {"2.13.0+cpu"}


def test_no_installation_goes_round_the_lock() -> None:
    """Everything that runs pip to fetch asks for hashes, or fetches nothing."""
    for name in ("Dockerfile", "scripts/install", "scripts/docker-build", "scripts/client_wheel.py"):
        text = (ROOT / name).read_text(encoding="utf-8").replace("\\\n", " ")
        for line in text.splitlines():
            for command in re.findall(r"\bpip (?:[^&|]* )?(?:install|download|wheel) [^&|]*", line):
                safe = ("--require-hashes", "--no-index", "--no-deps --no-build-isolation")
                assert any(word in command for word in safe) or "fail" in line, f"{name}: {command}"
