"""The bug hunt's bank: what a small change is, what an author is told, and that nothing in a file betrays its bug."""

import io
import re
import time
import tokenize
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from assay.new_challenge import Names, write_challenge
from grader.challenge import DEFAULT_ROOT, load_challenge
from grader.exercise import exercise_of
from grader.hunt import CHANGE_MAX, HuntBank, HuntError, NoPython, changed_lines
from grader.hunt.bank import write_observed
from grader.proof.hunt import observe, prove

BEFORE = '''"""What it is for."""
import math


def scale(scores, d_k):
    """Keep the variance."""
    # by the root
    return scores / math.sqrt(d_k)
'''
HUNTED = ("mha-rope", "mha-rope-causal", "mha-functional", "mha-module", "mha-homework", "tinytorch-attention")


@pytest.mark.parametrize(
    ("old", "new", "lines"),
    [
        ("# by the root", "# by something else", 0),
        ('"""Keep the variance."""', '"""Nothing\n    to see."""', 0),
        ("scores / math.sqrt(d_k)", "(scores\n        / math.sqrt( d_k ))", 1),
        ("scores / math.sqrt(d_k)", "scores/math.sqrt(d_k)", 0),
        ("scores / math.sqrt(d_k)", "scores / d_k", 1),
        ("import math\n", "import math\nimport torch\n", 1),
        ("    return", "    d_k = d_k + 1\n    scores = scores * 2\n    return", 2),
        ("    return scores", "    if d_k:\n        return scores", 2),
        ("import math\n", "", 1),
    ],
)
def test_lines_are_counted_without_comments_docstrings_and_layout(old: str, new: str, lines: int) -> None:
    assert old in BEFORE
    assert changed_lines(BEFORE, BEFORE.replace(old, new)) == lines


def test_a_program_in_one_line_is_not_one_line() -> None:
    hidden = BEFORE + f"exec({'x = 1; ' * 400!r})\n"
    assert changed_lines(BEFORE, hidden) > CHANGE_MAX


def test_a_long_file_is_far_away_and_takes_no_time() -> None:
    assert changed_lines(BEFORE, "x = 1\n" * 5000) > CHANGE_MAX


@pytest.mark.parametrize("source", ["'''", "def f(:\n  x\n y", "(", "x = 1\n" * 50_000])
def test_what_cannot_be_read_is_said_to_be_so(source: str) -> None:
    try:
        assert changed_lines(BEFORE, source) > 0
    except NoPython:
        return


@pytest.mark.parametrize(
    "source",
    [
        "'" + r"\'" * 32_000,
        "x" + " " * 65_000 + "$",
        "(" * 65_000,
        "-" * 65_000 + "1",
        '"""' + "\n" * 65_000,
        "a;" * 32_000,
    ],
    ids=["quotes that nothing closes", "blanks", "brackets", "signs", "an open text", "statements"],
)
def test_no_source_takes_longer_to_read_than_another_of_its_length(source: str) -> None:
    started = time.thread_time()
    with suppress(NoPython):
        assert changed_lines(BEFORE, source) > CHANGE_MAX
    assert time.thread_time() - started < 3  # a tenth of a second; quotes and blanks took minutes


@pytest.mark.parametrize("slug", HUNTED)
def test_nothing_in_a_file_betrays_its_bug(slug: str) -> None:
    bank = HuntBank.load(DEFAULT_ROOT / slug / "hunt")
    assert len({planted.misconception for planted in bank.all_planted()}) >= (10 if slug == "mha-rope" else 6)
    for planted in bank.all_planted():
        told = bank.told(planted)
        assert told is not None, f"{slug}: assay challenge observe"
        compile(planted.source, planted.name, "exec")
        assert set(comments(planted.source)) <= set(comments(bank.solutions[planted.style])), planted.name
        assert told.title.lower() not in told.symptom.lower(), planted.name
        assert not re.search(r"\b(bug|wrong|hunt|planted|FIXME)\b", planted.source), planted.name


@pytest.mark.parametrize("slug", HUNTED)
def test_what_is_told_of_a_bug_is_what_its_diagnosis_says_today(slug: str) -> None:
    exercise = exercise_of(load_challenge(DEFAULT_ROOT / slug))
    said = {(mistake.title, mistake.explanation) for mistake in exercise.misconceptions}
    for name, observed in HuntBank.load(DEFAULT_ROOT / slug / "hunt").observed.items():
        assert (observed.title, observed.explanation) in said, f"{name}: assay challenge observe {slug}"


def comments(source: str) -> Iterator[str]:
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.string


SOLUTION = '''"""A mean that weighs by exponentials."""
import torch


def new_function(x):
    top = x.max(dim=-1, keepdim=True).values
    powers = torch.exp(x - top)
    total = powers.sum(dim=-1, keepdim=True)
    return powers / total
'''
BUGS = """
[unstable-softmax]
symptom = "Large values give nan."
[unstable-softmax.edits.plain]
right = "torch.exp(x - top)"
wrong = "torch.exp(x)"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A small challenge with a hunt of one bug."""
    folder = write_challenge(Names.of("soft-maximum", None), tmp_path)
    (folder / "hunt").mkdir()
    (folder / "hunt" / "plain.py").write_text(SOLUTION.replace("new_function", "soft_maximum"))
    (folder / "hunt" / "bugs.toml").write_text(BUGS)
    for path in (folder / "accepted").glob("*.py"):  # so short that pasting them would be a small change
        path.write_text(path.read_text() + "\n" + "\n".join(f"NUMBER_{line} = {line}" for line in range(20)) + "\n")
    return folder


def test_a_sound_hunt_is_proved_and_is_no_part_of_the_version(folder: Path) -> None:
    version = load_challenge(folder).version
    challenge = load_challenge(folder)
    bank = HuntBank.load(challenge.hunt_folder)
    [planted] = bank.all_planted()
    told = [finding.problem for finding in prove(exercise_of(challenge), bank)]
    assert told == ["", "what a grading says of it is not what is told: run `assay challenge observe`"]
    write_observed(challenge.hunt_folder, {planted.name: observe(exercise_of(challenge), planted)})
    proved = list(prove(exercise_of(challenge), HuntBank.load(challenge.hunt_folder)))
    assert [finding.problem for finding in proved] == ["", ""]
    assert proved[1].detail == "wrong, and named as itself; lines that mend it: 1"
    assert load_challenge(folder).version == version


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('wrong = "torch.exp(x)"', 'wrong = "torch.exp(x - top + 0)"', "it is passed, and diagnosed as nothing"),
        ('wrong = "torch.exp(x)"', 'wrong = "torch.exp(top - x)"', "it is failed, and diagnosed as "),
        ("unstable-softmax", "softmax-dim", "it is failed, and diagnosed as unstable-softmax"),
    ],
)
def test_a_bug_that_is_another_than_meant_is_told(folder: Path, old: str, new: str, told: str) -> None:
    (folder / "hunt" / "bugs.toml").write_text(BUGS.replace(old, new))
    challenge = load_challenge(folder)
    _, finding = prove(exercise_of(challenge), HuntBank.load(challenge.hunt_folder))
    assert finding.problem.startswith(told)


def test_a_bug_of_a_misconception_that_is_not_there_is_told_with_those_that_are(folder: Path) -> None:
    (folder / "hunt" / "bugs.toml").write_text(BUGS.replace("unstable-softmax", "unstable"))
    challenge = load_challenge(folder)
    _, finding = prove(exercise_of(challenge), HuntBank.load(challenge.hunt_folder))
    assert finding.problem.endswith(
        "hunt/bugs.toml, line 2: there is no misconception 'unstable'; there are softmax-dim, unstable-softmax"
    )


def test_a_solution_that_is_wrong_or_too_like_another_is_told(folder: Path) -> None:
    challenge, path = load_challenge(folder), folder / "hunt" / "plain.py"
    path.write_text(path.read_text().replace("return powers / total", "return powers"))
    (folder / "hunt" / "bugs.toml").write_text(BUGS)
    first = next(prove(exercise_of(challenge), HuntBank.load(challenge.hunt_folder)))
    assert first.problem.startswith("it must be right, and is failed with seed 0")
    (folder / "accepted" / "same.py").write_text(path.read_text().replace("return powers", "return powers / total"))
    path.write_text((folder / "accepted" / "same.py").read_text())
    first = next(prove(exercise_of(challenge), HuntBank.load(challenge.hunt_folder)))
    assert first.problem == "accepted/same.py differs in 0 lines only: pasting it would count as mending"


@pytest.mark.parametrize(
    ("bugs", "told"),
    [
        ("not toml", "bugs.toml, line 1: this is not TOML"),
        (
            BUGS.replace("symptom", "sympton"),
            "bugs.toml, line 2: [unstable-softmax] lacks `symptom`: what somebody who runs",
        ),
        (BUGS.replace("edits.plain", "edits.other"), "speaks of 'other', and there is no other.py"),
        (BUGS.replace("x - top", "x - bottom"), "stands 0 times in plain.py; it must stand there once"),
        (BUGS.replace("torch.exp(x - top)", "dim=-1"), "stands 2 times in plain.py; it must stand there once"),
    ],
)
def test_an_authors_slip_is_told_in_a_sentence(folder: Path, bugs: str, told: str) -> None:
    (folder / "hunt" / "bugs.toml").write_text(bugs)
    with pytest.raises(HuntError, match=re.escape(told)):
        HuntBank.load(folder / "hunt")
