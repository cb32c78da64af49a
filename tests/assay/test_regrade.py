"""`assay regrade` and `assay replay` on a database with one submission that was really graded."""

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import update

from app.accounts import service as accounts
from app.courses import creation
from app.courses.schemas import NewCourse
from app.database import Database
from app.jobs.transitions import new_job
from app.models import Assignment, Course, JobState, StoredReport, Submission, SubmissionFile, User
from grader.challenge import DEFAULT_ROOT, load_challenges
from grader.messages import JobKind
from grader.report import Report
from tests.assay.conftest import Assay, run_assay

FAILS = (Path(__file__).parents[2] / "examples" / "rope_on_v.py").read_bytes()


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    folder = tmp_path_factory.mktemp("graded")
    (folder / "layers.py").write_bytes(FAILS)
    done = run_assay(folder, "grade", "layers.py", "--challenge", "mha-rope", "--format", "json", "--seed", "11")
    return Report.model_validate_json(done.stdout)


@pytest.fixture
def database(database_url: str, report: Report) -> Iterator[Database]:
    database = Database(database_url)
    creation.create(database, accounts.console(), NewCourse(slug="cs336", title="Language models"))
    accounts.create_user(database, "ada", course="cs336")
    with database.write() as session:
        course, ada = session.query(Course).filter_by(slug="cs336").one(), session.query(User).one()
        assignment = Assignment(course_id=course.id, slug="attention", title="A", challenge="mha-rope")
        session.add(assignment)
        session.flush()
        sent = Submission(
            id="0" * 26, user_id=ada.id, assignment_id=assignment.id, challenge="mha-rope", challenge_version="x",
            attempt=1, filename="layers.py", main="cs336_basics/layers.py", sha256=report.submission.sha256, seed=11,
            state="graded", verdict=report.verdict, score=report.score, max_score=report.max_score,
        )  # fmt: skip
        session.add(sent)
        session.flush()
        session.add(new_job(JobKind.SUBMISSION, sent.id, id=sent.id, state=JobState.DONE))
        session.add(SubmissionFile(submission_id=sent.id, path=sent.main, content=FAILS))
        session.add(StoredReport(submission_id=sent.id, body=report.to_json()))
    yield database
    database.close()


@pytest.fixture
def told(assay: Assay, database: Database) -> Assay:
    return partial(assay, ASSAY_DATABASE_URL=str(database.engine.url))


def test_the_report_comes_again_bit_for_bit(told: Assay) -> None:
    done = told("replay", "0" * 26)
    assert (done.returncode, done.stderr) == (0, "")
    assert re.fullmatch(r"The same: failed, [\d.]+ of 100, with seed 11\.\n", done.stdout)


def test_a_report_that_was_changed_does_not_come_again(told: Assay, database: Database, report: Report) -> None:
    better = report.model_copy(update={"score": 99.0})
    with database.write() as session:
        session.execute(update(StoredReport).values(body=better.to_json()))
    done = told("replay", "0" * 26)
    assert done.returncode == 1
    assert f"score: 99.0 became {report.score}" in done.stdout


def test_what_is_not_there_cannot_be_replayed(told: Assay) -> None:
    done = told("replay", "nonsense")
    assert (done.returncode, "There is no report" in done.stderr) == (2, True)


def test_a_regrade_is_asked_for_shown_and_dropped(told: Assay) -> None:
    asked = told("regrade", "ask", "cs336", "attention")
    assert asked.returncode == 0, asked.stderr
    regrade = asked.stderr.partition("Asked for: ")[2].split()[0]
    assert f"{regrade}`; then apply or drop." in asked.stderr
    version = load_challenges(DEFAULT_ROOT)["mha-rope"].version
    assert asked.stdout.startswith("grading: 0 of 1 regraded; 0 gain, 0 lose")
    assert version in asked.stdout
    assert regrade in told("regrade", "list", "cs336", "attention").stdout
    assert told("regrade", "show", "cs336", "attention", regrade).returncode == 0
    refused = told("regrade", "apply", "cs336", "attention", regrade)
    assert (refused.returncode, "cannot be applied now" in refused.stderr) == (2, True)
    assert told("regrade", "drop", "cs336", "attention", regrade).stdout.startswith("dropped")
