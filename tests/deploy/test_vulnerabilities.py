"""Nothing is known against what is locked, as far as a file knows that says how old it is. No network is asked."""

import subprocess
from datetime import date
from pathlib import Path

import pytest

from scripts.vulnerabilities import affecting, collect, excuses, known, locked_versions
from tests.not_run import NOT_RUN, note

RENEW = "run `make vulnerabilities`"
OLD_DAYS = 90
AIOHTTP = "PYSEC-2024-26"  # before 3.9.2


def test_nothing_is_known_against_what_is_locked_but_what_is_excused(request: pytest.FixtureRequest) -> None:
    found = known()
    age = (date.today() - date.fromisoformat(found["date"])).days
    told = f"advisories of {found['date']}, {age} days old, for {len(found['packages'])} packages"
    if age > OLD_DAYS:  # a clone must not fail by the calendar; whoever releases looks at this line
        told = f"{NOT_RUN}what became known after {found['date']}, {age} days ago; {RENEW}"
    note(request.config, "known vulnerabilities", told)
    excused = {(excuse.id, excuse.package) for excuse in excuses()}
    worries = list(affecting(locked_versions(), found["advisories"]))
    assert [entry for entry in worries if (entry["id"], entry["package"]) not in excused] == []


def test_every_locked_package_was_asked_for() -> None:
    assert set(locked_versions()) <= set(known()["packages"]), f"the lock has new packages: {RENEW}"


def test_an_excuse_has_a_reason_a_day_and_something_to_excuse() -> None:
    found = known()
    worries = {(entry["id"], entry["package"]) for entry in affecting(locked_versions(), found["advisories"])}
    for excuse in excuses():
        assert (excuse.id, excuse.package) in worries, f"{excuse.id} affects nothing that is locked: take it out"
        assert len(excuse.reason) > 20, excuse
        assert excuse.until >= date.fromisoformat(found["date"]), f"{excuse.id}: look at it again"


@pytest.mark.parametrize(
    ("version", "expected"), [("3.9.1", True), ("3.9.2", False), ("3.9.2rc0", True), ("4.0", False)]
)
def test_a_version_is_affected_until_it_is_fixed(version: str, expected: bool) -> None:
    found = {entry["id"] for entry in affecting({"aiohttp": version}, known()["advisories"])}
    assert (AIOHTTP in found) is expected


ADVISORY = """
id: PYSEC-2026-7
aliases: [CVE-2026-7]
details: A long
  story.
affected:
- package: {ecosystem: PyPI, name: tiny}
  ranges:
  - {type: GIT, repo: x, events: [{introduced: "0"}]}
  - {type: ECOSYSTEM, events: [{introduced: "1.0"}, {fixed: "1.5"}, {introduced: "2.0"}, {last_affected: "2.1"}]}
  versions: ["1.0"]
"""


def test_the_file_is_made_from_a_clone_of_the_database(tmp_path: Path) -> None:
    folder = tmp_path / "vulns" / "tiny"
    folder.mkdir(parents=True)
    (folder / "PYSEC-2026-7.yaml").write_text(ADVISORY, encoding="utf-8")
    withdrawn = ADVISORY.replace("PYSEC-2026-7", "PYSEC-2026-8") + "withdrawn: 2026-01-01T00:00:00Z\n"
    (folder / "PYSEC-2026-8.yaml").write_text(withdrawn, encoding="utf-8")
    committed = ("-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "--quiet", "--message=x")
    for words in (("init", "--quiet"), ("add", "."), (*committed, "--date=2026-02-03T00:00:00Z")):
        subprocess.run(["git", "-C", tmp_path, *words], check=True)
    found = collect(tmp_path, ["other", "tiny"])
    assert found["packages"] == ["other", "tiny"]
    assert date.fromisoformat(found["date"]) <= date.today()
    (advisory,) = found["advisories"]
    assert (advisory["id"], advisory["summary"]) == ("PYSEC-2026-7", "A long story.")
    hit = [v for v in ("0.9", "1.0", "1.4", "1.5", "2.0", "2.1", "2.2") if any(affecting({"tiny": v}, [advisory]))]
    assert hit == ["1.0", "1.4", "2.0", "2.1"]
