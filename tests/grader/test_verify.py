"""What `assay challenge verify` refuses, each in a sentence: a broken challenge never ends in a traceback."""

from collections.abc import Callable
from pathlib import Path

import pytest

from assay.new_challenge import Names, write_challenge
from grader.challenge import load_challenge
from grader.inprocess import InProcess
from grader.manifest import ManifestError
from grader.proof.check import Check, Section
from grader.proof.folder import problems_of
from grader.proof.verify import verify

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
        (
            adds("reference.py", "\nraise KeyError('no such thing')\n"),
            "KeyError: 'no such thing' (soft-maximum/reference.py, line 22)",
        ),
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
        (
            adds("challenge.toml", '\n[steps.shiftt]\nsigns = ["max"]\n'),
            "soft-maximum/challenge.toml, line 50: reference.py defines no step shiftt: it defines share, shift, ",
        ),
        (
            adds("challenge.toml", '\n[families.extra]\ntitle = "x"\npoints = 1\n'),
            "soft-maximum/challenge.toml, line 50: the family extra has no generator: add one to FAMILIES",
        ),
        (
            makes("idle"),
            "misconceptions/idle.py, line 7: it redefines no step of reference.py: it defines sofmax, and the",
        ),
        (
            adds("misconceptions/silent.py", "def share(x):\n    return x\n"),
            "silent.py, line 1: a misconception begins with a docstring",
        ),
        (makes("broken"), "SyntaxError"),
        (
            replaces("reference.py", "soft_maximum(x: Tensor)", "soft_maximum(y: Tensor)"),
            "takes y, and challenge.toml says x",
        ),
        (
            adds("accepted/broken.py", "def soft_maximum(:\n"),
            "SyntaxError: invalid syntax (soft-maximum/accepted/broken.py, line 1)",
        ),
        (replaces("cases.py", '    yield Case("x"', '    Case("x"'), "line 46: `gradients` gives None, not cases"),
        (
            replaces("cases.py", "    x = draw.normal(4, 5)", "    return\n    x = 0"),
            "`gradients` yields no case with seed 0",
        ),
        (replaces("cases.py", "def gradients(draw: Draw)", "def gradients()"), "`gradients` must take one argument"),
        (
            replaces("cases.py", '    yield Case("x"', '    yield call\n    yield Case("x"'),
            "line 50: `gradients` yields a Call, and",
        ),
        (replaces("cases.py", '"levels"', '"offset"'), "line 41: `large_values` yields two cases with the id 'offset'"),
        (replaces("cases.py", '{"x": x})', "{})"), "line 30: the case values/example gives soft_maximum no 'x'"),
        (
            replaces("cases.py", '{"x": x})', '{"y": x})'),
            "gives soft_maximum an argument 'y', and its parameters are x",
        ),
        (
            replaces("cases.py", 'FUNCTION = "soft_maximum"', 'FUNCTION = "softmax"'),
            "calls 'softmax', which is no entry point",
        ),
        (
            replaces("cases.py", 'differentiate=("x",)', 'differentiate=("y",)'),
            "differentiates 'y', and its call has no such",
        ),
        (
            replaces("cases.py", "draw.normal(4, 5)\n", "draw.randn(4, 5)\n"),
            "AttributeError: 'Draw' object has no attribute 'randn' (soft-maximum/cases.py, line 48)",
        ),
        (
            replaces("cases.py", '"gradients": gradients', '"gradient": gradients'),
            "line 46: FAMILIES has 'gradient', and challenge.toml no [families.gradient]",
        ),
        (
            replaces("cases.py", 'FAMILIES = {"values": values, ', "FAMILIES = [values]\nOTHERS = {"),
            "FAMILIES must be a dictionary of generators",
        ),
        (
            replaces("cases.py", "return [StructureCall(", "[StructureCall("),
            "line 53: `structure` must return a list of calls",
        ),
        (
            replaces("cases.py", 'return Call("workload"', 'Call("workload"'),
            "line 58: `workload` must return a Call, and returns None",
        ),
        (adds("space.py", 'SPACES = {"soft_maximum": 3}\n'), "SPACES['soft_maximum'] must be a Space, and is an int"),
        (
            adds("challenge.toml", '\n[misreadings]\nnothing = "values"\n'),
            "line 51: [misreadings] names nothing, which is no misconception; there are",
        ),
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
    [
        ("unknown = 1\n", r"line \d+: \[rules\.no-library-softmax\] has no key `unknown`; its keys are title, "),
        (f"[rules.silent]\n{NOBODYS}", r"line \d+: .*needs one of `forbids`, `part` and `cases`"),
        ("[families.extra]\npoints = 1\n", r"line \d+: \[families\.extra\] lacks `title`"),
        (
            '[families.extra]\ntitle = 3\npoints = "1 point"\n',
            r"line \d+: `title` of \[families\.extra\] must be a text in quotes, not 3",
        ),
        ("[families.values]\n", r"line \d+: this is not TOML: .*It is there already, further up"),
        ("points = \n", r"line \d+: this is not TOML: "),
        ("[families.extra]\ntitle = 'x'\npoints = inf\n", r"line \d+: `points` of .* must be a finite number, not inf"),
        ("[limits]\nwall_s = 1e9\n", r"line \d+: `wall_s` of \[limits\] must be 3600 or less"),
        ("[limits]\nmemory_mib = 0\n", r"line \d+: `memory_mib` of \[limits\] must be more than 0"),
    ],
)
def test_a_manifest_that_is_none_is_told_in_a_sentence(folder: Path, text: str, told: str) -> None:
    adds("challenge.toml", f"\n{text}")(folder)
    with pytest.raises(ManifestError, match=rf"challenge\.toml, (.*; .*)?{told}"):
        load_challenge(folder)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (f"x = {'[' * 100_000}", "lists or tables are nested too deeply"),
        (f"x = {'{a = ' * 100_000}", "lists or tables are nested too deeply"),
        (f"x = {'9' * 5000}", "a number has too many digits"),
        ('upload = "../reference.py"', "is no path of a Python file within a project"),
        ('upload = "a.txt"', "is no path of a Python file within a project"),
        ('default_path = "/srv/a.py"', "is no path of a Python file within a project"),
        ('default_path = "a/../../b.py"', "is no path of a Python file within a project"),
        ('default_path = "a\\nb.py"', "is no path of a Python file within a project"),
        ('extends = "."', "there is no such challenge beside it"),
        ('extends = "../../elsewhere"', "there is no such challenge beside it"),
        ('extends = "/"', "there is no such challenge beside it"),
        ('extends = "a\\u0000b"', "there is no such challenge beside it"),
        (f'extends = "{"x" * 5000}"', "there is no such challenge beside it"),
    ],
    ids=lambda text: text[:24],
)
def test_a_hostile_manifest_is_told_in_a_sentence_and_leads_nowhere(folder: Path, line: str, told: str) -> None:
    """Whoever reads one has not looked at it before."""
    manifest = folder / "challenge.toml"
    key = line.partition(" ")[0]
    rest = [old for old in manifest.read_text().splitlines() if old.partition(" ")[0] != key]
    manifest.write_text("\n".join([line, *rest]))
    (folder.parent / "challenge.toml").write_text(manifest.read_text())
    with pytest.raises(ManifestError, match=told):
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
        (
            replaces("cases.py", "gradient=draw.normal(4, 5)", "gradient=draw.normal(4, 6)"),
            "reference",
            "First gradients/x: The backward",
        ),
        (
            replaces("reference.py", "return share(", "share("),
            "reference",
            "reference.py: seed 0: failed: `soft_maximum` returned None",
        ),
        (
            replaces("questions.toml", 'kind = "number"', 'kind = "number"\nmisconception = "nothing"'),
            "questions",
            "questions.toml, line 21: question 'share-of-the-largest': there is no misconception 'nothing'; there are",
        ),
        (adds("accepted/wrong.py", "def soft_maximum(x):\n    return x\n"), "accepted wrong", "failed"),
        (makes("right"), "misconception right", "its verdict is passed"),
        (makes("raising"), "folder", "NameError: name 'missing' is not defined"),
        (
            adds("equivalents.toml", '[[equivalent]]\nreason = "x"\nmutants = ["no such mutant"]\n'),
            "mutants",
            'score 100.0%; listed as equivalent, and no mutant has this name: "no such mutant"',
        ),
        (
            adds("equivalents.toml", "equivalent = 3\n"),
            "folder",
            "equivalents.toml, line 1: `equivalent` must be a list in brackets, not 3",
        ),
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
    given = "\n\ndef given(x):\n    return x.clamp(min=-100.0, max=100.0)\n"
    for name in ("reference.py", "starter/soft_maximum.py"):
        adds(name, given)(folder)
    assert "secrets" not in failures(checks_of(folder))
    manifest = folder / "challenge.toml"
    entry = '[[entry_points]]\nname = "given"\nparameters = ["x"]\n\n[source]'
    manifest.write_text(manifest.read_text().replace("[source]", entry, 1))
    assert "students are shown: return x.clamp" in failures(checks_of(folder))["secrets"]
