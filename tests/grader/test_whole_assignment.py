"""A whole first assignment as one package: every part passes beside the others, and a wrong one is named.

Here without a service; `make test-assignment` has it go through one as a student's does.
"""

from pathlib import Path

import pytest

from app.challenges.schemas import EntryPointView
from assay.tasks import read_task
from engine.finding import best_of, find_parts, read_trees
from engine.wire.challenges import ChallengeDetail
from grader.challenge import Challenge
from grader.exercise import exercise_of
from grader.grade import grade
from grader.inprocess import InProcess
from grader.report import Verdict
from tests.assignment import file_of, one_mistake, parts, write_package
from worker.runner_client import RunnerClient

PARTS = parts()
OF_EACH = pytest.mark.parametrize("slug", PARTS)
SEED = 5


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("assignment")
    write_package(folder)
    return folder


def told(slug: str, challenge: Challenge) -> ChallengeDetail:
    """What a client needs to find the file that answers an exercise."""
    manifest = challenge.manifest
    entries = [
        EntryPointView(**entry.model_dump(include=set(EntryPointView.model_fields))) for entry in manifest.entry_points
    ]
    return ChallengeDetail(
        slug=slug,
        title=manifest.title,
        upload=manifest.upload,
        default_path=manifest.default_path,
        max_score=100,
        spec="",
        entry_points=[entry.model_dump() for entry in entries],
    )


def test_each_part_is_found_in_its_file(project: Path) -> None:
    found = best_of(find_parts(read_trees(project), [told(slug, challenge) for slug, challenge in PARTS.items()]))
    files = {slug: file_of(project, challenge).relative_to(project).as_posix() for slug, challenge in PARTS.items()}
    assert {slug: part.file for slug, part in found.items()} == files


@OF_EACH
def test_a_right_part_passes_in_the_package(slug: str, project: Path, runner: RunnerClient) -> None:
    task = read_task(file_of(project, PARTS[slug]), PARTS[slug], SEED)
    report = grade(PARTS[slug], task.submission, task.seed, runner, is_timed=False, is_guided=False)
    assert report.verdict is Verdict.PASSED, report.summary


@OF_EACH
def test_a_wrong_part_is_named(slug: str) -> None:
    mistake = one_mistake(PARTS[slug])
    wrong = exercise_of(PARTS[slug]).submission_with(mistake)
    report = grade(PARTS[slug], wrong, SEED, InProcess(), is_timed=False, is_guided=False)
    assert report.verdict is Verdict.FAILED
    assert [diagnosis.id for diagnosis in report.diagnoses] == [mistake.id]
