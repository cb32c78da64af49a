"""`assay challenge new`, and challenges in a folder of one's own."""

import re
from pathlib import Path

import pytest

from assay.new_challenge import Names, NotAName, write_challenge
from grader.challenge import load_challenge
from grader.exercise import exercise_of
from grader.manifest import Manifest
from grader.paper.case import Case
from grader.paper.draw import Draw
from grader.proof.folder import problems_of
from grader.questions import QuestionBank
from tests.assay.conftest import ROOT, Assay


def test_a_new_challenge_is_whole_and_named_as_asked(assay: Assay, tmp_path: Path) -> None:
    done = assay("challenge", "new", "layer-norm", "--title", "Layer norm, by hand", "--root", "mine")
    assert done.returncode == 0, done.stderr
    challenge = load_challenge(tmp_path / "mine" / "layer-norm")
    assert challenge.manifest.title == "Layer norm, by hand"
    assert challenge.manifest.upload == "layer_norm.py"
    assert challenge.manifest.max_score == 100
    assert list(problems_of(challenge)) == []
    assert len(exercise_of(challenge).paper(1).cases) > len(challenge.manifest.families)
    QuestionBank.load(challenge.questions_path).check(20)
    texts = [path.read_text() for path in challenge.folder.rglob("*") if path.is_file()]
    assert not [text for text in texts if re.search(r"new[-_](slug|function)|New title", text)]


def test_what_it_prints_as_next_commands_works(assay: Assay, program: Assay) -> None:
    told = assay("challenge", "new", "shares", "--root", "mine").stdout
    commands = re.findall(r"^  assay (.+)$", told, re.MULTILINE)
    assert [command.split()[0] for command in commands] == ["challenge", "challenge", "grade"]
    for command in (commands[0], commands[2]):  # the proof is run by the tutorial's test
        done = program(*command.split())
        assert done.returncode == 0, done.stderr
    assert "PASSED  100/100" in done.stdout


def test_a_folder_that_is_there_is_left_alone(assay: Assay, tmp_path: Path) -> None:
    (tmp_path / "mine" / "shares").mkdir(parents=True)
    done = assay("challenge", "new", "shares", "--root", "mine")
    assert done.returncode == 2
    assert done.stderr == "Error: mine/shares already exists. Remove it, or take another name.\n"
    assert not list((tmp_path / "mine" / "shares").iterdir())


@pytest.mark.parametrize(
    "slug", ["Shares", "9lives", "a_b", "a--b", "-a", "a-", "../a", "a/b", "", "lambda", "torch", "json", "é"]
)
def test_a_name_that_cannot_be_one_is_refused_in_a_sentence(slug: str) -> None:
    with pytest.raises(NotAName, match=r"^'.*' is .*\.$"):
        Names.of(slug, None)


@pytest.mark.parametrize("title", [" ", "a\x00b", 'a "quoted" one', "back\\slash"])
def test_a_title_that_would_break_the_manifest_is_refused(title: str) -> None:
    with pytest.raises(NotAName, match="one line of text"):
        Names.of("shares", title)


def test_a_title_may_have_any_letters_and_none_is_the_slug_in_words(tmp_path: Path) -> None:
    for title, expected in ((None, "Two shares"), ("Größe, 50 %\n  {x}", "Größe, 50 % {x}")):
        folder = write_challenge(Names.of("two-shares", title), tmp_path / expected[:3])
        assert load_challenge(folder).manifest.title == expected


def test_a_refused_name_is_2_and_writes_nothing(assay: Assay, tmp_path: Path) -> None:
    done = assay("challenge", "new", "No", "--root", "mine")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("Error: 'No' is not a valid name for a challenge")
    assert not (tmp_path / "mine").exists()


def test_the_variable_says_where_challenges_live(assay: Assay) -> None:
    told = {"ASSAY_CHALLENGES_ROOT": "mine"}
    assert assay("challenge", "new", "shares", **told).returncode == 0
    listed = assay("challenge", "list", **told).stdout
    assert listed == "shares  Shares (shares.py, 100 points)\n"
    other = assay("challenge", "show", "mha-rope", **told)
    assert (other.returncode, "There is: shares." in other.stderr) == (2, True)


def test_a_broken_neighbour_is_named_and_in_nobodys_way(assay: Assay, tmp_path: Path) -> None:
    assay("challenge", "new", "shares", "--root", "mine")
    (tmp_path / "mine" / "broken").mkdir()
    (tmp_path / "mine" / "broken" / "challenge.toml").write_text("title = ")
    listed = assay("challenge", "list", "--root", "mine")
    assert "broken  (broken) mine/broken/challenge.toml, line 1: this is not TOML" in listed.stdout
    assert assay("challenge", "show", "shares", "--root", "mine").returncode == 0


def test_show_says_what_is_asked_and_what_it_is_worth(assay: Assay) -> None:
    shown = assay("challenge", "show", "rmsnorm").stdout
    for part in (
        "rmsnorm(x, weight, eps=...)",
        "18 points  values",
        "rule no-library-norm",
        "100 points  in all",
        "# RMSNorm",
    ):
        assert part in shown
    assert assay("challenge", "show", "rmsnorm", "--spec").stdout.startswith("# RMSNorm\n")


def test_every_key_and_field_stands_in_the_reference_for_authors() -> None:
    text = (ROOT / "docs" / "challenges.md").read_text()
    words = set(re.findall(r"[a-z_]+", text))
    keys = {key for section in _sections(Manifest) for key in section}
    fields = set(Case.__dataclass_fields__) - {"id", "title", "call", "family"}
    draws = {name for name in vars(Draw) if not name.startswith("_")}
    assert keys | fields | draws <= words, sorted((keys | fields | draws) - words)


def _sections(model: type) -> list[set[str]]:
    """The keys of a manifest and of all tables in it."""
    found = [set(model.model_fields)]
    for field in model.model_fields.values():
        for kind in (field.annotation, *getattr(field.annotation, "__args__", ())):
            if hasattr(kind, "model_fields"):
                found += _sections(kind)
    return found
