"""Repositories as students have them, each part graded in the real sandbox: nothing was moved or adapted."""

import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from assay.tasks import read_task
from engine.parts import Parts
from grader.challenge import load_challenges
from grader.grade import grade
from grader.report import Report
from worker.private_runner import private_runner
from worker.runner_client import RunnerClient

FOLDER = Path(__file__).parents[1] / "repositories"
CHALLENGES = load_challenges()
PARTS = [
    (repository.name, part.challenge, part.file)
    for repository in sorted(FOLDER.iterdir())
    if (parts := Parts.read(repository)) is not None
    for part in parts.items
]


@pytest.fixture(scope="module")
def runner() -> Iterator[RunnerClient]:
    with private_runner(sessions=2, imports_ahead="false") as client:
        yield client


def graded(runner: RunnerClient, slug: str, file: Path) -> Report:
    task = read_task(file, CHALLENGES[slug], seed=7)
    return grade(CHALLENGES[slug], task.submission, task.seed, runner, is_timed=False)


@pytest.mark.parametrize(("repository", "slug", "file"), PARTS, ids=[f"{name}/{slug}" for name, slug, _ in PARTS])
def test_every_part_gets_its_verdict(runner: RunnerClient, repository: str, slug: str, file: str) -> None:
    expected = tomllib.loads((FOLDER / repository / "expected.toml").read_text())[slug]
    report = graded(runner, slug, FOLDER / repository / file)
    assert (report.verdict, report.summary.startswith("Every call")) == (expected["verdict"], False), report.summary
    assert expected.get("diagnosis") in [None, *(diagnosis.id for diagnosis in report.diagnoses)]
    assert expected.get("says", "") in report.summary


def test_every_layout_is_there() -> None:
    assert len({name for name, _, _ in PARTS}) >= 8
    assert len(PARTS) >= 12
