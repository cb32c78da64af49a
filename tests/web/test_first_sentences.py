"""What a student reads first, in the report, the terminal and the page, is what a good teaching assistant would say."""

import io
import re
import tomllib
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from html import unescape
from pathlib import Path

import pytest

from engine.display import Page
from engine.result import ResultText
from engine.wire.submissions import State, Submission
from grader.challenge import load_challenges
from grader.grade import grade
from grader.guest import submission as guest
from grader.report import Report
from tests.app.school import School
from tests.grader.impatient import Impatient
from tests.grader.one_paper import keep_all_predictions
from tests.web.conftest import Visit
from worker.private_runner import private_runner
from worker.runner_client import RunnerClient

FOLDER = Path(__file__).parents[1] / "first-sentences"
CHALLENGES = load_challenges()
SEED = 5
NEVER_END = {"endless_loop", "normalise_until_one", "while_never_ends"}


@dataclass(frozen=True)
class First:
    """A file, and what is to be said of it first."""

    path: Path

    @property
    def slug(self) -> str:
        return self.path.parent.name

    @property
    def name(self) -> str:
        return f"{self.slug}/{self.path.stem}"

    @cached_property
    def source(self) -> bytes:
        return self.path.read_bytes()

    def told(self, what: str) -> str:
        found = re.search(rf"^# {what}: (.+)$", self.source.decode(), re.MULTILINE)
        return found[1] if found else ""

    @property
    def lines(self) -> set[int]:
        text = self.told("Line")
        return set() if text == "none" else {int(line) for line in text.split(" or ")}


FILES = [First(path) for path in sorted(FOLDER.glob("*/*.py"))]
BLIND = [First(path) for path in sorted(FOLDER.glob("blind/*/*.py"))]
EXPECTED = tomllib.loads((FOLDER / "blind" / "expected.toml").read_text())
DOCUMENT = " ".join((Path(__file__).parents[2] / "docs" / "fidelity.md").read_text().split())
ALL = pytest.mark.parametrize("first", FILES, ids=[first.name for first in FILES])


@pytest.fixture(scope="module")
def runner() -> Iterator[RunnerClient]:
    with private_runner(sessions=3) as client, pytest.MonkeyPatch.context() as patch:
        keep_all_predictions(patch.setattr)
        yield client


@pytest.fixture(scope="module")
def reports() -> dict[str, Report]:
    return {}


def report_of(first: First, runner: RunnerClient, reports: dict[str, Report]) -> Report:
    """Graded once for all tests of this process."""
    if str(first.path) not in reports:
        challenge = CHALLENGES[first.slug]
        main = challenge.manifest.default_path
        sent = guest.Submission(main, {main: first.source}, sent_as=challenge.manifest.upload)
        execute = Impatient(runner) if first.path.stem in NEVER_END else runner
        reports[str(first.path)] = grade(challenge, sent, SEED, execute, is_timed=False)
    return reports[str(first.path)]


@ALL
def test_the_first_sentence_helps(first: First, runner: RunnerClient, reports: dict[str, Report]) -> None:
    report = report_of(first, runner, reports)
    missing = [name for name in first.told("Names").split(", ") if name.lower() not in report.summary.lower()]
    pointed = {report.place[0]} if report.place else {diagnosis.line for diagnosis in report.diagnoses}
    is_pointed = not first.lines or bool(first.lines & pointed)
    assert not missing, f"{report.summary!r} for {first.told('Says')!r}"
    if first.told("Not yet") == "the line":
        assert not is_pointed, "it points to the line by now: the comment may go"
    else:
        assert is_pointed, f"it points to {pointed}, not to {first.lines}"


@pytest.mark.parametrize("first", BLIND, ids=[first.name for first in BLIND])
def test_what_others_would_have_said(first: First, runner: RunnerClient, reports: dict[str, Report]) -> None:
    """By one of their words, in the sentence or in the line that stands below it, and by their line."""
    report, expected = report_of(first, runner, reports), EXPECTED[first.name]
    place = report.place or next(((each.line, each.file) for each in report.diagnoses if each.line), None)
    line = place[0] if place is not None and place[1] is None else None
    below = first.source.decode().split("\n")[line - 1] if line else ""
    said = f"{report.summary} {below}".lower()
    has_words = any(name.lower() in said for name in first.told("Names").split(", "))
    lacks = [] if has_words else ["the words"]
    lacks += [] if first.told("Line") in ("none", str(line)) else ["the line"]
    assert [diagnosis.id for diagnosis in report.diagnoses] == expected["named"]
    assert lacks == expected["lacks"]


@ALL
def test_what_is_named_is_true(first: First, runner: RunnerClient, reports: dict[str, Report]) -> None:
    named = {diagnosis.id for diagnosis in report_of(first, runner, reports).diagnoses}
    truth = set(filter(None, first.told("Truth").split(", ")))
    assert named == (set() if first.told("Not yet") == "the name" else truth)


@ALL
def test_the_terminal_begins_with_it(first: First, runner: RunnerClient, reports: dict[str, Report]) -> None:
    report = report_of(first, runner, reports)
    submission = Submission(
        id="s1",
        challenge=first.slug,
        filename=report.submission.filename,
        state=State.GRADED,
        created_at=datetime.now(UTC),
        attempt=1,
        verdict=report.verdict,
        report=report,
    )
    with redirect_stdout(io.StringIO()) as shown:
        ResultText(Page(), first.source, "layers.py", {}).write(submission)
    _headline, _, rest = shown.getvalue().partition("\n")
    assert " ".join(rest.split()).startswith(" ".join(report.summary.split()))


def test_the_page_begins_with_it(runner: RunnerClient, reports: dict[str, Report], school: School, ada: Visit) -> None:
    mha_rope = [first for first in FILES if first.slug == "mha-rope"]  # the one challenge of this school
    for first in mha_rope[::5]:  # each page is made in the same way
        report = report_of(first, runner, reports)
        sent = school.submit("ada", first.source)["id"]
        school.grade(str(sent), report)
        page = re.sub(r"<[^>]+>", "", ada.page(f"/submissions/{sent}").partition('<p class="summary">')[2])
        assert " ".join(unescape(page).split()).startswith(" ".join(report.summary.replace("`", "").split()))


def test_there_are_enough_of_them_and_the_document_counts_them() -> None:
    ideas = [first for first in FILES if first.told("Truth")]
    unnamed = sum(first.told("Not yet") == "the name" for first in ideas)
    assert f"{len(FILES)} files" in DOCUMENT
    assert f"In {len(FILES) - len(ideas)} it is" in DOCUMENT
    named = f"{len(ideas) - unnamed} are named rightly, 0 wrongly, {unnamed} not"
    assert f"of the {len(ideas)} in which an idea is wrong, {named}" in DOCUMENT
    assert {first.slug for first in FILES} == set(CHALLENGES)


def test_the_document_counts_those_of_others_too() -> None:
    lacks = [expected["lacks"] for expected in EXPECTED.values()]
    ideas = [first for first in BLIND if first.told("Kind") == "wrong idea"]
    named = sum(bool(EXPECTED[first.name]["named"]) for first in ideas)
    assert f"Another {len(BLIND)} " in DOCUMENT
    assert f"In {lacks.count([])} the report begins" in DOCUMENT
    missing = (sum(what in each for each in lacks) for what in ("the words", "the line"))
    assert "{} lack the words, {} the line".format(*missing) in DOCUMENT
    told = f"Of {len(ideas)} wrong ideas {named} are named rightly, 0 wrongly, {len(ideas) - named} not."
    assert told in DOCUMENT
