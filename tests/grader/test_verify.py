"""What `assay challenge verify` refuses, each in a sentence: a broken challenge never ends in a traceback."""

from collections.abc import Callable
from pathlib import Path

import pytest

from assay.new_challenge import Names, write_challenge
from grader.challenge import load_challenge
from grader.inprocess import InProcess
from grader.manifest import ManifestError
from grader.proof.folder import problems_of
from grader.proof.verify import Check, Section, verify

NOBODYS = 'title = "Asked"\nmessage = "Do."\npoints = 0\n'
Break = Callable[[Path], object]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A small challenge that holds."""
    return write_challenge(Names.of("soft-maximum", None), tmp_path)


def replaces(name: str, old: str, new: str) -> Break:
    def edit(folder: Path) -> None:
        text = (folder / name).read_text()
        assert old in text
        (folder / name).write_text(text.replace(old, new))

    return edit


def adds(name: str, text: str) -> Break:
    def append(folder: Path) -> None:
        path = folder / name
        path.write_text((path.read_text() if path.exists() else "") + text)

    return append


def removes(name: str) -> Break:
    return lambda folder: (folder / name).unlink()


MISTAKES = {
    "idle": ("Wrong, and nowhere.", "def sofmax(x):\n    return x"),
    "right": ("Not wrong.", "def share(x):\n    weights = torch.exp(x)\n    return weights / weights.sum(-1, True)"),
    "raising": ("It raises while it is imported.", "def shift(x):\n    return x\n\n\nmissing"),
    "broken": ("No Python.", "def share(x:"),
}


def makes(mistake: str) -> Break:
    title, code = MISTAKES[mistake]
    return adds(f"misconceptions/{mistake}.py", f'"""{title}\n\nAt the desk.\n"""\n\n\n{code}\n')


@pytest.mark.parametrize(
    ("break_it", "told"),
    [
        (removes("reference.py"), "reference.py is missing"),
        (removes("cases.py"), "cases.py is missing"),
        (removes("spec.md"), "spec.md is missing"),
        (removes("questions.toml"), "questions.toml is missing"),
        (removes("starter/soft_maximum.py"), "starter/soft_maximum.py is missing"),
        (adds("reference.py", "\ndef broken(:\n"), "SyntaxError"),
        (adds("reference.py", "\nraise KeyError('no such thing')\n"), "KeyError: 'no such thing' (reference.py"),
        (adds("cases.py", "\n1 / 0\n"), "ZeroDivisionError: division by zero (soft-maximum/cases.py, line"),
        (
            adds("cases_later.py", "\n\n1 / 0\n"),
            "ZeroDivisionError: division by zero (soft-maximum/cases_later.py, line 3",
        ),
        (adds("cases_later.py", "\ndef broken(:\n"), "SyntaxError"),
        (replaces("cases.py", "FAMILIES", "FAMILES"), "cases.py does not define FAMILIES"),
        (
            replaces("reference.py", "def soft_maximum", "def soft_minimum"),
            "does not define the entry point soft_maximum",
        ),
        (adds("challenge.toml", '\n[steps.shiftt]\nsigns = ["max"]\n'), "[steps.shiftt], and reference.py defines no"),
        (adds("challenge.toml", '\n[families.extra]\ntitle = "x"\npoints = 1\n'), "the family extra, which has no gen"),
        (
            makes("idle"),
            "misconceptions/idle.py redefines no step of reference.py: it defines sofmax",
        ),
        (adds("misconceptions/silent.py", "def share(x):\n    return x\n"), "silent.py needs a docstring"),
        (makes("broken"), "SyntaxError"),
        (adds("challenge.toml", f'\n[rules.asks]\n{NOBODYS}cases = ["no/such"]\n'), "cases that no paper has: no/such"),
    ],
)
def test_a_broken_folder_is_told_in_a_sentence(folder: Path, break_it: Break, told: str) -> None:
    break_it(folder)
    problems = list(problems_of(load_challenge(folder)))
    assert any(told in problem for problem in problems), problems
    assert "Traceback" not in " ".join(problems)


@pytest.mark.parametrize(
    ("text", "told"),
    [("unknown = 1\n", ""), (f"[rules.silent]\n{NOBODYS}", "needs one of `forbids`, `part` and `cases`")],
)
def test_a_manifest_that_is_none_is_told_in_a_sentence(folder: Path, text: str, told: str) -> None:
    adds("challenge.toml", f"\n{text}")(folder)
    with pytest.raises(ManifestError, match=rf"challenge\.toml: .*{told}"):
        load_challenge(folder)


def checks_of(folder: Path) -> list[Check]:
    return list(verify(load_challenge(folder), InProcess()))


def failures(checks: list[Check]) -> dict[str, str]:
    return {f"{check.section} {check.name}".strip(): check.detail for check in checks if not check.holds}


def test_what_the_template_gives_holds(folder: Path) -> None:
    checks = checks_of(folder)
    assert {check.section for check in checks} == set(Section) - {Section.HUNT, Section.COVERAGE, Section.FORGEABLE}
    assert not failures(checks)


@pytest.mark.parametrize(
    ("break_it", "section", "told"),
    [
        (adds("accepted/wrong.py", "def soft_maximum(x):\n    return x\n"), "accepted wrong", "failed"),
        (makes("right"), "misconception right", "its verdict is passed"),
        (makes("raising"), "folder", "NameError: name 'missing' is not defined"),
        (
            adds("equivalents.toml", '[[equivalent]]\nreason = "x"\nmutants = ["no such mutant"]\n'),
            "mutants",
            "no such mutant exists any more: no such mutant",
        ),
        (adds("equivalents.toml", "equivalent = 3\n"), "folder", "equivalents.toml is not a list of [[equivalent]]"),
        (adds("starter/soft_maximum.py", "\n1 / 0\n"), "folder", "ZeroDivisionError"),
        (
            adds("spec.md", "\nreturn x - x.amax(dim=-1, keepdim=True)\n"),
            "secrets",
            "students are shown: return x - x.amax",
        ),
    ],
)
def test_what_is_not_proven_is_told(folder: Path, break_it: Break, section: str, told: str) -> None:
    break_it(folder)
    found = failures(checks_of(folder))
    assert told in found.get(section, ""), found


def test_what_students_are_given_whole_is_no_secret(folder: Path) -> None:
    given = "\n\ndef given(x):\n    return x - x.amax(dim=-1, keepdim=True) + 1.0\n"
    for name in ("reference.py", "starter/soft_maximum.py"):
        adds(name, given)(folder)
    assert "secrets" not in failures(checks_of(folder))
    manifest = folder / "challenge.toml"
    entry = '[[entry_points]]\nname = "given"\nparameters = ["x"]\n\n[source]'
    manifest.write_text(manifest.read_text().replace("[source]", entry, 1))
    assert "students are shown: return x - x.amax" in failures(checks_of(folder))["secrets"]
