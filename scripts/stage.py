"""What the pictures in docs/screenshots need to find: a class, and what judges would tell at the right moment."""

import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from redis import Redis
from sqlalchemy import select

from app.accounts.service import create_user, issue_token
from app.broker import Broker
from app.database import Database
from app.jobs.kind import Office
from app.metrics import RecorderMetrics
from app.models import Job, Regrade, RegradedSubmission, Role, State, StoredReport, Submission, User
from app.problems import Conflict
from app.recording import Recording
from app.settings import RecorderSettings
from grader.messages import JUDGES, Graded, JobKind
from grader.report import Report, TestStatus, Verdict

ROOT = Path(__file__).resolve().parents[1]
ASSAY = (sys.executable, "-P", "-m", "assay")
MENDED = "full-attention"  # the family that a regrade is made to find right


def make_class(folder: Path) -> Path:
    subprocess.run([*ASSAY, "demo-data", "--data-dir", folder], stdout=subprocess.DEVNULL, check=True)
    return folder


def token_of(url: str, name: str) -> str:
    database = Database(url)
    token = issue_token(database, name, "screenshots")
    database.close()
    return token


def operators_token(url: str) -> str:
    database = Database(url)
    with suppress(Conflict):  # made for earlier pictures
        create_user(database, "operator", Role.OPERATOR, None)
    database.close()
    return token_of(url, "operator")


def wrong_submission(url: str) -> tuple[str, str]:
    """One that failed with something right in it, and its student's name; the one with the most to see."""
    database = Database(url)
    with database.read() as session:
        rows = session.execute(
            select(Submission.id, User.name, StoredReport.body)
            .join(User, Submission.user_id == User.id)
            .join(StoredReport, StoredReport.submission_id == Submission.id)
            .where(Submission.challenge == "mha-rope", StoredReport.body.contains('"cells"'))
        ).all()
    database.close()
    best = max(rows, key=lambda row: worth_seeing(Report.model_validate_json(row[2])))
    return best[0], best[1]


def worth_seeing(report: Report) -> tuple[bool, bool, float]:
    cells = "".join("".join(test.error_map.cells) for test in report.tests if test.error_map)
    return any(found.line for found in report.diagnoses), report.guidance is not None, cells.count("0")


def passed_student(url: str) -> str:
    database = Database(url)
    with database.read() as session:
        name = session.scalars(
            select(User.name)
            .join(Submission, Submission.user_id == User.id)
            .where(Submission.challenge == "mha-rope", Submission.verdict == Verdict.PASSED)
            .order_by(Submission.id)
        ).first()
    database.close()
    assert name
    return name


def grade_by_half(url: str, redis_url: str, submission: str, source: Path) -> str:
    """Grade what was sent, on its own paper, and tell of the first half alone; returns what the page then says."""
    database, broker = Database(url), Broker(redis_url)
    with database.read() as session:
        row = session.get_one(Submission, submission)
    command = [*ASSAY, "grade", source, "--challenge", row.challenge, "--seed", str(row.seed), "--format", "json"]
    graded = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    tests = Report.model_validate_json(graded.stdout).tests
    broker.tell(submission, "state", {"state": State.RUNNING})
    for done, test in enumerate(tests[: len(tests) // 2], start=1):
        shown = test.model_dump(mode="json", include={"id", "group", "title", "status", "score", "max_score"})
        broker.tell(submission, "test", shown | {"done": done, "total": len(tests)})
    broker.close()
    database.close()
    return f"{len(tests) // 2} of {len(tests)} tests done."


def grade_again(url: str, redis_url: str, regrade: str) -> None:
    """As if a family had been too strict: whoever failed it is found right now."""
    database, broker = Database(url), Broker(redis_url)
    settings = RecorderSettings(database_url=url, redis_url=redis_url)
    recording = Recording(database, Office(settings, broker, RecorderMetrics()))
    with database.read() as session:
        version = session.get_one(Regrade, regrade).challenge_version
        kept = session.execute(
            select(RegradedSubmission.job_id, StoredReport.body)
            .join(RegradedSubmission, RegradedSubmission.submission_id == StoredReport.submission_id)
            .where(RegradedSubmission.regrade_id == regrade)
        ).all()
    for job, body in kept:
        report = mended(Report.model_validate_json(body), version)
        recording.record(Graded(job=job, kind=JobKind.REGRADE, report=report))
    broker.close()
    database.close()


def mended(report: Report, version: str) -> Report:
    tests = tuple(
        test.model_copy(update={"status": TestStatus.PASSED, "score": test.max_score, "message": ""})
        if test.group == MENDED and test.status is TestStatus.FAILED
        else test
        for test in report.tests
    )
    challenge = report.challenge.model_copy(update={"version": version})
    gained = sum(test.score for test in tests) - sum(test.score for test in report.tests)
    verdict = report.verdict
    if gained and all(test.status is TestStatus.PASSED for test in tests if test.group != "efficiency"):
        verdict = Verdict.PASSED
    score = round(report.score + gained, 2)
    return report.model_copy(update={"tests": tests, "challenge": challenge, "score": score, "verdict": verdict})


def show_judges(url: str, redis_url: str) -> None:
    """A heartbeat of the judges that graded the class, for as long as pictures are taken."""
    database, broker = Database(url), Redis.from_url(redis_url)
    with database.read() as session:
        judges = session.scalars(select(Job.worker).where(Job.worker.is_not(None)).distinct()).all()
    broker.zadd(JUDGES, {str(judge): time.time() + 3600 for judge in judges})
    broker.close()
    database.close()
