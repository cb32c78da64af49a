"""The student's guide names everything there is."""

from pathlib import Path

import pytest

from engine.cli import COMMANDS, cli
from engine.config import DEFAULT_SERVER, SERVER_VARIABLE, TOKEN_VARIABLE

GUIDE = (Path(__file__).parents[2] / "docs" / "engine.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_option_is_in_the_guide(name: str):
    assert f"engine {name}" in GUIDE
    command = cli.get_command(None, name)  # type: ignore[arg-type]
    options = {option for parameter in command.params for option in parameter.opts if option.startswith("--")}
    assert {option for option in options - {"--token-stdin"} if option not in GUIDE} == set()


@pytest.mark.parametrize(
    "word", [DEFAULT_SERVER, SERVER_VARIABLE, TOKEN_VARIABLE, "NO_COLOR", "| 130 |", ".assay.json"]
)
def test_what_it_reads_and_gives_back_is_in_the_guide(word: str):
    assert word in GUIDE
