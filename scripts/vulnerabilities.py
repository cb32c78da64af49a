"""Renews deploy/known-vulnerabilities.json: what is known against any version of what requirements.lock names.

python -m scripts.vulnerabilities [FOLDER]     FOLDER: a clone of PyPA's advisory database; fetched with git unless told

The file is committed: the check (tests/deploy/test_vulnerabilities.py) needs no network, and says how old it is.
Ends with 1 where a locked version is affected and deploy/excused-vulnerabilities.toml does not excuse it.
"""

import json
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import yaml
from packaging.version import Version

from deploy.dependencies import read

ROOT = Path(__file__).resolve().parents[1]
KNOWN = ROOT / "deploy" / "known-vulnerabilities.json"
EXCUSED = ROOT / "deploy" / "excused-vulnerabilities.toml"
DATABASE = "https://github.com/pypa/advisory-database"
SUMMARY_CHARACTERS = 160


@dataclass(frozen=True)
class Excuse:
    """Why a locked version may stay although something is known against it, and until when that is looked at again."""

    id: str
    package: str
    reason: str
    until: date


def locked_versions() -> dict[str, str]:
    return {name: found.version for name, found in read((ROOT / "requirements.lock").read_text("utf-8")).items()}


def known() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(KNOWN.read_text(encoding="utf-8"))
    return found


def excuses() -> list[Excuse]:
    return [Excuse(**entry) for entry in tomllib.loads(EXCUSED.read_text(encoding="utf-8")).get("excused", [])]


def affecting(versions: dict[str, str], advisories: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Those that name a version which is locked."""
    for advisory in advisories:
        version = versions.get(advisory["package"])
        if version and (version in advisory["versions"] or _is_in_range(Version(version), advisory["ranges"])):
            yield advisory


def _is_in_range(version: Version, ranges: list[list[dict[str, str]]]) -> bool:
    """As OSV has it: the last event that is not above the version decides."""
    for events in ranges:
        is_affected = False
        for kind, at in sorted(((kind, at) for event in events for kind, at in event.items()), key=_moment):
            if kind == "introduced":
                is_affected = is_affected or version >= _version(at)
            elif (kind == "fixed" and version >= _version(at)) or (kind == "last_affected" and version > _version(at)):
                is_affected = False
        if is_affected:
            return True
    return False


def _moment(event: tuple[str, str]) -> Version:
    return _version(event[1])


def _version(text: str) -> Version:
    return Version("0.dev0" if text == "0" else text)


def collect(folder: Path, names: list[str]) -> dict[str, Any]:
    """What the file holds; of an advisory, what says whether a version is affected, and where to read on."""
    advisories = []
    for name in names:
        for path in sorted((folder / "vulns" / name).glob("*.yaml")):
            advisory = yaml.safe_load(path.read_text(encoding="utf-8"))
            if not advisory.get("withdrawn"):
                advisories += [_entry(name, advisory, affected) for affected in advisory["affected"]]
    commit, day = _git(folder, "log", "-1", "--format=%H %cs").split()
    return {"source": DATABASE, "commit": commit, "date": day, "packages": names, "advisories": advisories}


def _entry(name: str, advisory: dict[str, Any], affected: dict[str, Any]) -> dict[str, Any]:
    ranges = [found["events"] for found in affected.get("ranges", ()) if found["type"] == "ECOSYSTEM"]
    return {
        "id": advisory["id"],
        "aliases": advisory.get("aliases", []),
        "package": name,
        "summary": " ".join((advisory.get("summary") or advisory["details"]).split())[:SUMMARY_CHARACTERS],
        "ranges": ranges,
        "versions": [] if ranges else affected.get("versions", []),
    }


def _fetch() -> Path:
    folder = ROOT / "build" / "advisory-database"
    if folder.exists():
        _git(folder, "pull", "--quiet", "--depth=1")
    else:
        folder.parent.mkdir(exist_ok=True)
        _git(ROOT, "clone", "--quiet", "--depth=1", DATABASE, str(folder))
    return folder


def _git(folder: Path, *words: str) -> str:
    return subprocess.run(["git", "-C", folder, *words], check=True, stdout=subprocess.PIPE, text=True).stdout


def main() -> None:
    try:
        folder = Path(sys.argv[1]) if len(sys.argv) > 1 else _fetch()
        found = collect(folder, sorted(locked_versions()))
    except subprocess.CalledProcessError:
        sys.exit(f"assay: no advisories: git could not fetch {DATABASE}, or read the folder. The old file stays.")
    KNOWN.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    age = (date.today() - date.fromisoformat(found["date"])).days
    print(f"{len(found['advisories'])} advisories for {len(found['packages'])} packages, {age} days old.")
    excused = {(excuse.id, excuse.package) for excuse in excuses()}
    worries = list(affecting(locked_versions(), found["advisories"]))
    for entry in worries:
        print(f"{entry['package']} {locked_versions()[entry['package']]}: {entry['id']} {entry['summary']}")
    if any((entry["id"], entry["package"]) not in excused for entry in worries):
        sys.exit("assay: take another version (make lock), or excuse it in deploy/excused-vulnerabilities.toml.")


if __name__ == "__main__":
    main()
