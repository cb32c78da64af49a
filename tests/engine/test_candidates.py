"""What nearly answers an exercise is named, and a patch of the project makes it an answer."""

import ast
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from assay.tasks import read_task
from engine.adapters import adapter_for, patch_of
from engine.candidates import NearAnswer, near_answers
from engine.finding import read_trees
from engine.wire.challenges import ChallengeDetail
from grader.challenge import load_challenges
from grader.grade import grade
from grader.report import Verdict
from tests.engine.conftest import Student
from tests.engine.school import School
from tests.engine.test_parts import asks
from tests.grader.test_whole_assignment import told
from worker.private_runner import private_runner

OTHER_NAMES = Path(__file__).parents[1] / "repositories" / "other_names"
RMSNORM = {"name": "rmsnorm", "parameters": ["x", "weight", "eps"], "optional": 1}
MHA = {"name": "attend", "parameters": ["x", "q_proj", "k_proj"]}
TOKENIZER = {"name": "Tokenizer", "kind": "class", "parameters": ["vocab", "merges"], "methods": ["encode"]}


def challenge(*entries: dict[str, Any], slug: str = "x") -> ChallengeDetail:
    words = {"title": "X", "upload": "x.py", "default_path": "x.py", "max_score": 100, "spec": ""}
    return ChallengeDetail.model_validate({"slug": slug, **words, "entry_points": entries})


def near(source: str, *entries: dict[str, Any]) -> list[NearAnswer]:
    return near_answers({"mine.py": ast.parse(source)}, [challenge(*entries)])


def adapted(folder: Path, source: str, *entries: dict[str, Any]) -> str | None:
    (folder / "mine.py").write_text(source)
    (answer,) = near_answers(read_trees(folder), [challenge(*entries)])
    adapter = adapter_for(folder, answer)
    return adapter and adapter.text.partition('"""\n\n')[2]


@pytest.mark.parametrize(
    ("source", "entry", "text"),
    [
        ("def rms_norm(x, weight, eps=1e-5): ...", RMSNORM, "from mine import rms_norm as rmsnorm\n"),
        ("def run_rmsnorm(a, b, c=1): ...", RMSNORM, "from mine import run_rmsnorm as rmsnorm\n"),
        (
            "def rmsnorm(weight, x, eps=1e-5): ...",
            RMSNORM,
            "from mine import rmsnorm as own_rmsnorm\n\n\n"
            "def rmsnorm(x, weight, eps=1e-05):\n    return own_rmsnorm(x=x, weight=weight, eps=eps)\n",
        ),
        ("def self_attention(x, q_proj, k_proj): ...", MHA, "from mine import self_attention as attend\n"),
        (
            "class BPETokenizer:\n def __init__(self, vocab, merges): ...\n def encode(self, text): ...",
            TOKENIZER | {"name": "BPETokeniser"},
            "from mine import BPETokenizer as BPETokeniser\n",
        ),
        ("EPS = 1\ndef rmsnorm(weight, x, eps=EPS): ...", RMSNORM, None),
    ],
)
def test_an_adapter_gives_it_the_name_and_the_order(
    tmp_path: Path, source: str, entry: dict[str, Any], text: str | None
) -> None:
    told_text = adapted(tmp_path, source, entry)
    if text is None:  # a default that means nothing in another file is left out
        assert told_text is not None
        assert "def rmsnorm(x, weight, eps):" in told_text
    else:
        assert told_text == text


@pytest.mark.parametrize(
    "source",
    [
        "def rmsnorm(x, weight, bias, more): ...",
        "def run_rmsnorm(d_model, eps, weights, in_features): ...",
        "class RMSNorm:\n def __init__(self, d_model): ...",
        "async def other(): ...\ndef rmsnorm(weight, /, x, eps): ...",
    ],
)
def test_what_is_too_different_is_named_without_an_adapter(tmp_path: Path, source: str) -> None:
    assert adapted(tmp_path, source, RMSNORM) is None


@pytest.mark.parametrize(
    "source",
    ["", "def layer_norm(x, weight): ...", "def other(a, b, c): ...", "rmsnorm = 1", "class T:\n def rmsnorm(x): ..."],
)
def test_other_definitions_are_not_meant(source: str) -> None:
    assert near(source, RMSNORM) == []


def test_an_exercise_of_which_a_part_is_nowhere_is_left_out() -> None:
    assert near("def rms_norm(x, weight, eps=1): ...", RMSNORM, MHA) == []


def test_a_courses_adapters_are_rather_meant_than_a_class_that_takes_something_else() -> None:
    trees = {
        "lm/model.py": ast.parse("class RMSNorm:\n def __init__(self, d_model): ..."),
        "tests/adapters.py": ast.parse("def run_rmsnorm(x, weight, eps=1e-5): ..."),
    }
    (answer,) = near_answers(trees, [challenge(RMSNORM, slug="a"), challenge(RMSNORM, slug="b")])
    assert [(each.file, each.name) for each in answer.candidates] == [("tests/adapters.py", "run_rmsnorm")]
    assert (answer.challenge.slug, answer.alike) == ("a", ("b",))


def test_what_is_too_different_must_have_the_very_name() -> None:
    assert near("class RMSNormalise:\n def __init__(self, d_model): ...", RMSNORM) == []
    assert near("def rmsnorms(x): ...", RMSNORM) == []


def test_names_that_a_server_tells_never_become_code(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def rmsnormimportos(a, b, c): ...")
    hostile = challenge(RMSNORM | {"name": "rmsnorm\nimport os"})
    (answer,) = near_answers(read_trees(tmp_path), [hostile])
    assert answer.can_be_adapted
    assert adapter_for(tmp_path, answer) is None


def test_the_project_is_the_folder_of_engine_toml_also_within_a_repository(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "course").mkdir()
    text = adapted(tmp_path / "course", "def rms_norm(x, weight, eps=1e-5): ...", RMSNORM)
    assert text == "from mine import rms_norm as rmsnorm\n"


def test_what_is_there_is_never_written_over(tmp_path: Path) -> None:
    (tmp_path / "answer_x.py").write_text("# mine")
    assert adapted(tmp_path, "def rms_norm(x, weight, eps=1): ...", RMSNORM) is None


def test_init_says_what_is_near_and_the_patch_makes_it_a_part(student: Student, school: School) -> None:
    (student.folder / "cs336_basics/layers.py").unlink()
    school.asks = asks("attend", "x", "heads", path="cs336_basics/layers.py")
    school.more = {"rmsnorm": asks("rmsnorm", "x", "weight", path="rmsnorm.py")}
    student.write("src/lm/attention.py", b"def attend(x, heads): return 'RIGHT'\n")
    student.write("src/lm/norm.py", b"def rms_norm(weight, x): return 'RIGHT'\n")
    said = student.run("init", "--yes")
    assert said.returncode == 0, said.stderr
    assert "asked for: rmsnorm(x, weight)" in said.stdout
    assert "there is:  rms_norm(weight, x) in src/lm/norm.py, line 1" in said.stdout
    assert "git apply engine.patch" in said.stdout
    assert "rmsnorm" not in (student.folder / "engine.toml").read_text()
    subprocess.run(["git", "apply", "engine.patch"], cwd=student.folder, check=True)
    student.run("submit-build")
    assert [sent["challenge"] for sent in school.received] == ["mha-rope", "rmsnorm"]
    assert list(school.received[1]["siblings"]) == ["lm/norm.py"]


def test_init_without_anything_that_fits_offers_the_patch_alone(student: Student, school: School) -> None:
    (student.folder / "cs336_basics/layers.py").unlink()
    school.asks = asks("rmsnorm", "x", "weight", path="rmsnorm.py")
    student.write("norm.py", b"def rms_norm(x, weight): return 'RIGHT'\n")
    said = student.converse("init", typed=("y\n",), prompt="[Y/n]: ")
    assert "Write engine.patch?" in said.text
    assert not (student.folder / "engine.toml").exists()
    assert (student.folder / "engine.patch").exists()


def test_a_repository_with_names_of_its_own_passes_once_the_patch_is_applied(tmp_path: Path) -> None:
    """In the real sandbox: entry points in three files, two under another name, one in another order."""
    project = tmp_path / "project"
    shutil.copytree(OTHER_NAMES, project)
    challenges = load_challenges()
    wanted = [told(slug, challenges[slug]) for slug in ("mha-rope", "rmsnorm")]
    adapters = [adapter_for(project, answer) for answer in near_answers(read_trees(project), wanted)]
    kept = [adapter for adapter in adapters if adapter is not None]
    (project / "engine.patch").write_text(patch_of(project, [], kept))
    subprocess.run(["git", "apply", "engine.patch"], cwd=project, check=True)
    assert [adapter.challenge for adapter in kept] == ["mha-rope", "rmsnorm"]
    with private_runner(sessions=1, imports_ahead="false") as runner:
        for adapter in kept:
            slug = adapter.challenge
            task = read_task(project / adapter.file, challenges[slug], seed=7)
            report = grade(challenges[slug], task.submission, task.seed, runner, is_timed=False, is_guided=False)
            assert report.verdict is Verdict.PASSED, report.summary
