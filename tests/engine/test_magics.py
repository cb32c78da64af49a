"""`%submit` and `%%submit` in a notebook: an attempt is not spent on what has not changed."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from engine import magics
from tests.engine.school import TOKEN, School
from tests.engine.test_standing import SCORE, asked

SOURCE = "import torch\ndef f(): ...\n"


class Shell:
    """As much of IPython as the magics use; what is run is in its history, the command too."""

    def __init__(self) -> None:
        self.magics: dict[str, Callable[..., None]] = {}
        self.history_manager = SimpleNamespace(input_hist_raw=[""])

    def register_magic_function(self, function: Callable[..., None], kind: str, _name: str) -> None:
        self.magics[kind] = function

    def run_cell(self, cell: str) -> SimpleNamespace:
        return SimpleNamespace(success=True)

    def cell(self, words: str, cell: str = SOURCE) -> None:
        self.magics["cell"](words, cell)

    def line(self, words: str) -> None:
        self.history_manager.input_hist_raw.append(f"%submit {words}")
        self.magics["line"](words)


@pytest.fixture
def shell(running: tuple[School, str], school: School, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """Of a student with two attempts left."""
    monkeypatch.setenv("ASSAY_SERVER", running[1])
    monkeypatch.setenv("ASSAY_TOKEN", TOKEN)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    school.score, school.me = SCORE, {"assignments": [asked(attempts_max=3, attempts_left=2)]}
    shell = Shell()
    magics.register(shell)
    return shell


def told(capsys: pytest.CaptureFixture[str]) -> str:
    return " ".join(capsys.readouterr().out.split())


def test_a_cell_that_has_not_changed_is_not_sent_and_its_result_is_shown_again(
    shell: Shell, school: School, capsys: pytest.CaptureFixture[str]
) -> None:
    shell.cell("mha-rope")
    assert "attempts left" in told(capsys)
    shell.cell("mha-rope")
    said = told(capsys)
    assert "This cell has not changed since attempt 1. Submitting it again uses one of your 2 attempts left." in said
    assert "Nothing was sent. To submit it anyway, run: %%submit mha-rope --force" in said
    assert "Not passed yet" in said
    assert len(school.received) == 1
    shell.cell("mha-rope --force")
    shell.cell("mha-rope", SOURCE + "x = 1\n")
    assert "has not changed" not in told(capsys)
    assert len(school.received) == 3


def test_to_give_the_command_again_changes_no_notebook(
    shell: Shell, school: School, capsys: pytest.CaptureFixture[str]
) -> None:
    shell.history_manager.input_hist_raw.append(SOURCE)
    for _ in range(3):
        shell.line("mha-rope")
    assert "Your notebook has not changed since attempt 1." in told(capsys)
    assert len(school.received) == 1
    shell.line("mha-rope --force")
    assert len(school.received) == 2


def test_without_a_limit_it_is_sent_again_as_ever(
    shell: Shell, school: School, capsys: pytest.CaptureFixture[str]
) -> None:
    school.me = {"assignments": [asked(attempts_max=None, attempts_left=None)]}
    for _ in range(2):
        shell.cell("mha-rope")
    assert "has not changed" not in told(capsys)
    assert len(school.received) == 2
