"""What banks say of code and of inputs is proved by running it; a bank that is wrong about it is told so."""

import shutil
from pathlib import Path

import pytest

from grader.challenge import DEFAULT_ROOT, load_challenge
from grader.exercise import exercise_of
from grader.proof.questions import printed_by, problems_of_bank
from tests.grader.example_bank import DOCS
from tests.grader.test_questions import FILES

SHOWN = DOCS.read_text(encoding="utf-8").split("```toml\n")[1:]


@pytest.mark.parametrize("slug", FILES)
def test_snippets_lines_and_inputs_are_as_the_bank_says(slug: str) -> None:
    assert list(problems_of_bank(exercise_of(load_challenge(DEFAULT_ROOT / slug)), 1)) == []


def problems(folder: Path, bank: str) -> str:
    shutil.copytree(DEFAULT_ROOT / "mha-rope", folder / "mha-rope")
    (folder / "mha-rope" / "questions.toml").write_text(bank, encoding="utf-8")
    return "\n".join(problems_of_bank(exercise_of(load_challenge(folder / "mha-rope")), 1))


@pytest.mark.parametrize("place", range(len(SHOWN)))
def test_what_the_documentation_shows_holds(tmp_path: Path, place: int) -> None:
    assert problems(tmp_path, SHOWN[place].split("```")[0]) == ""


OUTPUT = """
[[questions]]
id = "q"
kind = "output"
points = 1
prompt = "?"
code = "print([1, 2][::-1])"
answer = "[1, 2]"
nudge = "?"
explanation = "!"
"""
LINE = """
[[questions]]
id = "q"
kind = "line"
points = 1
prompt = "?"
code = "def f(x): return ____"
answer = "x + x"
inputs = { x = "torch.ones(2)" }
mistakes = [{ answer = "2 * x", feedback = "?" }]
nudge = "?"
explanation = "!"
"""
INPUT = """
[[questions]]
id = "q"
kind = "choice"
points = 1
prompt = "?"
misconception = "missing-scale"
answer = "One token"
input = { seq = 1, heads = 2, d_head = 2 }
wrong = [
    { text = "Two tokens", feedback = "No.", input = { seq = 2, heads = 2, d_head = 2 } },
    { text = "No tokens", feedback = "!" },
]
explanation = "!"
"""


HIDDEN_NUMBER = """
[[questions]]
id = "q"
kind = "number"
points = 1
prompt = "How much is half of {even}?"
params.n = [8, 9, 10, 11, 12, 13]
values.even = "n // 2 * 2"
answer = "even / 2"
tolerance.absolute = 0
nudge = "?"
explanation = "!"
"""


@pytest.mark.parametrize(
    ("bank", "told"),
    [
        (HIDDEN_NUMBER, "question 'q': practice asks it as grading does, so that its answer can be learnt there"),
        (
            HIDDEN_NUMBER.replace('"even / 2"', '"0 * even + 7"').replace("{even}", "{n}"),
            "question 'q': its answer is the same with all numbers, so that practice tells it",
        ),
        (OUTPUT, "question 'q': the bank says that this prints '[1, 2]', and it prints '[2, 1]'"),
        (OUTPUT.replace("print(", "raise ValueError("), "and it prints 'ValueError'"),
        (LINE, "the wrong line '2 * x' gives what another line gives: !"),
        (
            LINE.replace('"2 * x"', '"3 * x"').replace('"x + x"', '"x + y"'),
            "its own line 'x + y' is not marked as correct",
        ),
        (INPUT.replace("One token", "Two tokens").replace("seq = 1", "seq = 2"), "is there twice"),
        (INPUT.replace("seq = 1", "seq = 3"), "the input of 'One token' shows missing-scale"),
        (INPUT.replace("seq = 2", "seq = 1"), "the input of 'Two tokens' hides missing-scale"),
        (
            INPUT.replace("d_head = 2", "width = 2"),
            "what it gives as inputs raises TypeError: example() got",
        ),
        (
            LINE.replace("torch.ones", "torch.one"),
            "what it gives as inputs raises AttributeError: module",
        ),
        (INPUT.replace("missing-scale", "missing-salt"), "there is no misconception 'missing-salt'"),
    ],
)
def test_a_bank_that_is_wrong_about_code_is_told_so(tmp_path: Path, bank: str, told: str) -> None:
    assert told in problems(tmp_path, bank)


def test_a_sound_input_holds(tmp_path: Path) -> None:
    assert problems(tmp_path, INPUT) == ""


def test_an_error_is_printed_by_its_name() -> None:
    assert printed_by("print(1)\n1 / 0") == "1\nZeroDivisionError"
