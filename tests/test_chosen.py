"""The quickest files are chosen by what they took, and the tables are written from what a run left."""

import json
from pathlib import Path

import pytest

from scripts import test_times
from tests.chosen import SECONDS, long_files, quickest_files

RUN = """<testsuites><testsuite>
<testcase classname="tests.app.test_slow" name="test_waits[a|b]" time="2.5"/>
<testcase classname="tests.app.test_slow" name="test_waits_less" time="1.5"/>
<testcase classname="tests.engine.test_quick" name="test_is_done" time="0.04"/>
<testcase classname="tests.app.test_long" name="test_takes_minutes" time="0.0"><skipped/></testcase>
<testcase classname="" name="tests.deploy.test_skipped" time="0.01"/>
</testsuite></testsuites>"""


def test_the_quickest_files_are_chosen_as_far_as_the_limit_goes() -> None:
    assert quickest_files({"c": 3.0, "a": 1.0, "b": 2.0, "d": 0.5}, 3.5) == {"d", "a", "b"}
    assert quickest_files({"a": 1.0}, 0.5) == set()


def test_the_files_for_which_no_time_is_left_are_long() -> None:
    assert long_files({"c": 3.0, "a": 1.0, "b": 2.0}, 3.5) == {"c"}
    assert long_files({"a": 1.0}, 1.5) == set()


def test_every_file_with_known_seconds_is_there() -> None:
    root = Path(__file__).parents[1]
    assert [file for file in SECONDS if not (root / file).exists()] == []


def test_the_tables_are_written_from_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    report, page, seconds = tmp_path / "tests.xml", tmp_path / "testing.md", tmp_path / "seconds.json"
    report.write_text(RUN)
    seconds.write_text('{"tests/grader/test_corpus.py": 900.0, "tests/app/test_that_is_gone.py": 7.0}')
    page.write_text(f"# Testing\n\n{test_times.MARK}what was there\n")
    monkeypatch.setattr(test_times, "PAGE", page)
    monkeypatch.setattr(test_times, "SECONDS", seconds)
    test_times.main([report])
    assert json.loads(seconds.read_text()) == {
        "tests/app/test_slow.py": 4.0,
        "tests/engine/test_quick.py": 0.0,
        "tests/grader/test_corpus.py": 900.0,
    }
    told = page.read_text()
    assert told.startswith(f"# Testing\n\n{test_times.MARK}\n| Folder |")
    assert "what was there" not in told
    assert "| `tests/app` | 2 | 4 |" in told
    assert "| in all | 3 | 4 |" in told
    assert "| `tests/app/test_slow.py::test_waits[a\\|b]` | 2.5 |" in told
