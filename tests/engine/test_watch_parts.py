"""`engine watch` in a project of several parts: what changed is graded as it is saved, and one board shows all."""

from collections.abc import Callable

import pytest

from engine.board import Board
from engine.client import Client
from engine.config import Config
from engine.display import Page
from engine.parts import PartFile, written
from engine.watch_parts import PartsDesk
from tests.engine.conftest import Student
from tests.engine.school import School
from tests.engine.test_parts import project as project  # noqa: PLC0414  a fixture
from tests.engine.test_parts import two_parts
from tests.engine.test_standing import asked
from tests.engine.test_watch import PROMPT

RIGHT = b"def rmsnorm(x, weight): return 'RIGHT'\n"
WRONG = b"def rmsnorm(x, weight): return 'ROPE_ON_V'\n"
NORM = "src/lm/norm.py"


def screens(project: Student, *typed: str | Callable[[], object]) -> list[str]:
    """What is on the screen at each prompt."""
    told = project.converse("watch", typed=typed, prompt=PROMPT, NO_COLOR="1")
    assert told.exit_code == 0, told.text
    return told.text.replace("\r\n", "\n").split(PROMPT)


def sent(school: School) -> list[str]:
    return [each["challenge"] for each in school.received]


def test_a_part_is_graded_when_its_file_or_what_it_imports_is_saved(project: Student, school: School) -> None:
    two_parts(project)
    first, wrong, imported, *_ = screens(
        project,
        lambda: project.write(NORM, WRONG),
        lambda: project.write("src/lm/nn.py", b"import regex, torch\n"),
        "q",
    )
    assert first.count("not submitted  ") == 2
    assert "Enter submits mha-rope, rmsnorm, " in first
    assert "Not passed yet" in wrong
    assert "RoPE is also applied to the values" in wrong
    assert "1 of 2 parts passed" in imported
    assert sent(school) == ["rmsnorm", "mha-rope"]


def test_what_became_of_a_part_is_on_the_board(project: Student, school: School) -> None:
    two_parts(project)
    project.write(NORM, WRONG)
    project.run("submit-build")
    begun, mended, *_ = screens(project, lambda: project.write(NORM, RIGHT), "q")
    assert begun.count("unchanged") == 2
    assert "Enter submits" not in begun
    assert "2 of 2 parts passed" in mended
    assert "Gone: RoPE is applied to V" in mended
    assert sent(school) == ["mha-rope", "rmsnorm", "rmsnorm"]


def test_enter_submits_what_was_there_before(project: Student, school: School) -> None:
    two_parts(project)
    assert "2 of 2 parts passed" in screens(project, "\n", "q")[1]
    assert sent(school) == ["mha-rope", "rmsnorm"]


def test_enter_submits_the_files_as_they_are_at_that_moment(
    project: Student, school: School, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where it has not been noticed yet that one was saved."""
    two_parts(project)
    for name in ("ASSAY_SERVER", "ASSAY_TOKEN", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, project.environment[name])
    with Client(Config.read()) as client:
        page = Page()
        desk = PartsDesk(client, page, Board(client, page, project.folder))
        desk.open([PartFile("rmsnorm", NORM)])
        project.write(NORM, WRONG)
        desk.submit()
    assert [each["source"] for each in school.received] == [WRONG]


def test_what_counts_waits_for_enter(project: Student, school: School) -> None:
    two_parts(project)
    school.me = {"assignments": [asked(challenge="rmsnorm", attempts_max=5, attempts_left=2)]}
    _, saved, submitted, *_ = screens(project, lambda: project.write(NORM, RIGHT + b"# more\n"), "\n", "q")
    assert "2 of 5 attempts left" in saved
    assert "Enter submits mha-rope, rmsnorm, " in saved
    assert "2 of 2 parts passed" in submitted
    assert sent(school) == ["mha-rope", "rmsnorm"]


def test_a_part_with_an_assignment_of_its_own_waits_for_enter(project: Student, school: School) -> None:
    parts = (PartFile("mha-rope", "src/lm/attention.py"), PartFile("rmsnorm", NORM, "demo/norms"))
    project.write("engine.toml", written(parts).encode())
    screens(project, lambda: project.write(NORM, WRONG), "q")
    assert sent(school) == []


def test_a_part_that_cannot_be_graded_or_is_refused_ends_nothing(project: Student, school: School) -> None:
    two_parts(project)
    _, broken, refused, mended, *_ = screens(
        project,
        lambda: project.write(NORM, b"def rmsnorm(x, weight)\n"),
        lambda: project.write(NORM, b"def rmsnorm(x, weight): return 'TEAPOT'\n"),
        lambda: project.write(NORM, RIGHT + b"# mended\n"),
        "q",
    )
    assert "not valid Python" in broken
    assert "It ended" in refused
    assert "1 of 2 parts passed" in mended
    assert sent(school) == ["rmsnorm"]


def test_a_file_that_is_no_part_changes_nothing(project: Student, school: School) -> None:
    two_parts(project)
    screens(project, lambda: project.write("src/lm/notes.py", b"x = 1\n"), "q")
    assert sent(school) == []


def test_an_assignment_is_for_one_part(project: Student) -> None:
    two_parts(project)
    told = project.converse("watch", "--assignment", "demo/norms", prompt=PROMPT)
    assert told.exit_code == 2
    assert "--assignment is for one part" in told.text
