"""A made-up class: what it sends, when, and what is written of it. Its gradings are the real grader's, tested there."""

import ast
import csv
import hashlib
import io
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import select

from app.accounts.service import console
from app.analytics.overview import overview
from app.assignments.schedule import holds_grades
from app.broker import Broker
from app.challenges.service import Catalogue
from app.database import Database
from app.gradebook.book import gradebook
from app.invitations.schemas import WayIn
from app.invitations.service import listed
from app.lti.contexts import overview as overview_of_platforms
from app.lti.outgoing import hosts_of
from app.models import Invitation, LtiPlatform, State
from app.regrade_requests import answering
from assay.commands.export import command
from assay.demo.behaviour import submissions
from assay.demo.people import people
from assay.demo.school import SETS, GradedSources, write_course
from assay.demo.sources import Sources, sources_of
from grader.challenge import DEFAULT_ROOT, load_challenges
from grader.exercise import exercise_of
from grader.report import Verdict
from tests.app.school import make_report

MOMENT = datetime(2026, 5, 20, 12, tzinfo=UTC)


@pytest.fixture(scope="module")
def sources() -> Sources:
    return sources_of(exercise_of(load_challenges(DEFAULT_ROOT)["mha-rope"]), Random(7))


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    database = Database(database_url)
    yield database
    database.close()


@pytest.fixture
def class_(database: Database, sources: Sources) -> Database:
    """Fifteen students. Every right file has passed here, every other failed."""
    reports = {
        source: make_report(Verdict.PASSED, 100.0) if source in sources.right else make_report(misconceptions=("x",))
        for source in sources.all
    }
    graded = dict.fromkeys(("mha-rope", "rmsnorm"), GradedSources(sources, reports))
    write_course(database, Catalogue(DEFAULT_ROOT), graded, Random(3), MOMENT, "made-up", 15)
    return database


def test_no_file_explains_what_is_wrong_with_it_and_each_name_is_there_once(sources: Sources) -> None:
    assert len(sources.all) == len({hashlib.sha256(source).digest() for source in sources.all}) > 40
    for source in [*sources.wrong.values(), sources.right[0]]:
        tree = ast.parse(source)
        assert ast.get_docstring(tree) is None
        names = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
        assert len(names) == len(set(names))
        assert b'"""' not in source


def test_the_same_number_makes_the_same_class(sources: Sources) -> None:
    opens_at, due_at = MOMENT - timedelta(days=14), MOMENT + timedelta(days=1)
    sent = [submissions(Random(5), sources, 0.4, opens_at, due_at, MOMENT) for _ in range(2)]
    assert sent[0] == sent[1]
    assert people(Random(5), 9) == people(Random(5), 9)


def test_nobody_sends_before_it_opens_or_after_now(sources: Sources) -> None:
    opens_at, due_at = MOMENT - timedelta(days=14), MOMENT + timedelta(days=1)
    for seed in range(40):
        sent = submissions(Random(seed), sources, seed / 40, opens_at, due_at, MOMENT)
        moments = [one.at for one in sent]
        assert moments == sorted(moments)
        assert all(opens_at <= moment < MOMENT for moment in moments)


def test_a_few_are_late(sources: Sources) -> None:
    opens_at, due_at, closes_at = (MOMENT + timedelta(days=days) for days in (-33, -19, -12))
    sent = [submissions(Random(seed), sources, 0.5, opens_at, due_at, closes_at) for seed in range(200)]
    late = [one for one in sent if one and one[0].at > due_at]
    assert 5 <= len(late) <= 30


def test_the_dashboard_has_what_was_written(class_: Database) -> None:
    found = overview(class_, Broker("redis://127.0.0.1:1/0"), console(), "made-up", "attention")
    assert found.students == 15
    assert 5 <= found.students_submitted <= 15
    assert found.states == {State.GRADED: found.submissions}
    assert found.service.judges is None
    book = gradebook(class_, Catalogue(DEFAULT_ROOT), console(), "made-up", None)
    assert len(book.assignments) == len(SETS)
    counted = [line for line in book.lines if line.counted is not None]
    assert sum(line.assignment.slug == "attention" for line in counted) == found.students_submitted
    assert any(line.parts.questions > 0 for line in book.lines)
    assert {student.section for student in book.students} == {"Monday", "Tuesday", "Thursday"}
    assert any(line.override for line in book.lines)
    assert any(line.terms.exceptions for line in book.lines)
    assert {line.assignment.slug for line in counted if holds_grades(line.assignment)} == {"exam"}
    requests = [answering.page(class_, console(), "made-up", None, 50, closed=closed).items for closed in (True, False)]
    assert [len(items) for items in requests] == [2, 3]


def test_every_page_of_staff_has_something_to_show(class_: Database) -> None:
    book = gradebook(class_, Catalogue(DEFAULT_ROOT), console(), "made-up", None)
    assert any(line.to_review for line in book.lines)
    invited = listed(class_, console(), "made-up", can_send_mail=False)
    assert (invited.counts[WayIn.INVITED], invited.counts[WayIn.EXPIRED]) == (1, 2)  # MOMENT is past: both have ended
    (context,) = overview_of_platforms(class_, console(), "made-up").contexts
    assert (context.waiting, context.failing) == (0, 2)
    assert context.sent > 5
    with class_.read() as session:  # nothing that is made up is ever asked or mailed
        assert not session.scalars(select(Invitation).where(Invitation.next_try_at.is_not(None))).all()
        (platform,) = session.scalars(select(LtiPlatform)).all()
    assert not platform.is_active
    assert all(host.endswith(".example") for host in hosts_of(platform))


def test_points_and_reports_are_written(class_: Database, tmp_path: Path) -> None:
    canvas = export(class_, "made-up", "--format", "canvas")
    assert canvas.exit_code == 0, canvas.output
    assert len(list(csv.reader(io.StringIO(canvas.stdout)))) == 2 + 15
    wanted = ("made-up", "--format", "gradescope", "--assignment", "attention", "--output", str(tmp_path / "out.zip"))
    assert export(class_, *wanted).exit_code == 0
    with zipfile.ZipFile(tmp_path / "out.zip") as archive:
        assert all(name.endswith("/results.json") for name in archive.namelist())
    again = export(class_, *wanted)
    assert (again.exit_code, "already exists" in again.stderr) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("made-up", "--format", "junit"), "Give it with --assignment"),
        (("made-up", "--format", "gradescope", "--assignment", "attention"), "Give a file with --output"),
        (("nowhere",), "There is no course 'nowhere'"),
        (("made-up", "--assignment", "nothing"), "no assignment 'nothing'"),
    ],
)
def test_an_export_says_what_is_missing(class_: Database, arguments: tuple[str, ...], sentence: str) -> None:
    told = export(class_, *arguments)
    assert (told.exit_code, told.stdout) == (2, "")
    assert sentence in told.stderr


def export(database: Database, *arguments: str) -> Result:
    return CliRunner().invoke(command, [*arguments, "--database-url", str(database.engine.url)])
