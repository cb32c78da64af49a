"""Which Redis `assay up` runs: one with the security fixes, and which, is said."""

import gzip
from pathlib import Path

import pytest

from assay.redis_binary import CVE, MENDED, Version, candidates, find, has_fixes, has_fixes_of_the_distribution, look
from tests.assay.conftest import Assay


def test_what_is_installed_has_the_fixes_and_the_embedded_one_is_taken() -> None:
    found = find()
    assert found is not None
    assert (found.is_mended, found.is_embedded) == (True, True), found
    assert (found.path, True) in list(candidates())


def test_doctor_says_which_one_it_is(program: Assay) -> None:
    said = program("doctor").stdout
    (line,) = [line for line in said.splitlines() if " redis " in line]
    assert line.startswith("ok")
    assert str(find()) in line


@pytest.mark.parametrize(
    ("name", "version", "expected"),
    [
        ("Redis", (6, 2, 14), False),
        ("Redis", (6, 2, 20), True),
        ("Redis", (7, 0, 15), False),  # a series that ended without them
        ("Redis", (7, 4, 6), True),
        ("Redis", (8, 4, 0), True),
        ("Valkey", (8, 1, 3), False),
        ("Valkey", (9, 0, 1), False),
        ("Valkey", (9, 1, 2), True),
    ],
)
def test_a_number_tells_whether_it_has_the_fixes(name: str, version: Version, expected: bool) -> None:
    assert has_fixes(name, version) is expected


def test_every_series_is_named_by_its_first_two_numbers() -> None:
    assert all(first[:2] == series for table in MENDED.values() for series, first in table.items())


def test_an_old_one_of_the_system_is_told_as_such(tmp_path: Path) -> None:
    server = tmp_path / "redis-server"
    server.write_text("#!/bin/sh\necho 'Redis server v=6.2.14 sha=0:0 malloc=libc bits=64 build=0'\n", encoding="utf-8")
    server.chmod(0o755)
    found = look(server, is_embedded=True)
    assert found is not None
    assert not found.is_mended
    assert str(found) == f"Redis 6.2.14, embedded, at {server}"
    assert look(tmp_path / "nothing") is None


def test_a_distribution_that_brought_the_fixes_back_is_believed(tmp_path: Path) -> None:
    assert not has_fixes_of_the_distribution(tmp_path)
    changelog = tmp_path / "redis-server" / "changelog.Debian.gz"
    changelog.parent.mkdir()
    changelog.write_bytes(gzip.compress(b"redis (5:7.0.15-1~deb12u5) bookworm-security; urgency=high\n"))
    assert not has_fixes_of_the_distribution(tmp_path)
    changelog.write_bytes(gzip.compress(f"redis (5:7.0.15-1~deb12u6)\n\n  * CVE-2025-46817 / {CVE}\n".encode()))
    assert has_fixes_of_the_distribution(tmp_path)
