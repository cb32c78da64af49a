"""The simulation of a deadline: fair, the same every time, and true of what was measured."""

import random

import pytest
from click.testing import CliRunner

from assay.capacity import Costs, Deadline, FairQueue, SimulationResult, Upload, quantile, simulate
from assay.cli import cli

# `python -m benchmarks.load`, docs/performance.md: 2,000 uploads by 500 students within a minute, two processors.
MEASURED = {"graded after": 489, "p50": 213, "p95": 413, "p99": 430, "first p50": 52, "first p95": 84}
BURST = Deadline(students=500, uploads=2000, within_s=60)


@pytest.fixture(scope="module")
def burst() -> SimulationResult:
    return simulate(BURST, 2, Costs(upload_s=0.02))


def test_it_foretells_what_was_measured(burst: SimulationResult):
    told = {
        "graded after": burst.ended,
        "p50": quantile(burst.waits, 0.5),
        "p95": quantile(burst.waits, 0.95),
        "p99": quantile(burst.waits, 0.99),
        "first p50": quantile(burst.first_waits, 0.5),
        "first p95": quantile(burst.first_waits, 0.95),
    }
    assert told == pytest.approx(MEASURED, rel=0.1)


def test_every_upload_is_graded_once(burst: SimulationResult):
    assert len(burst.waits) == 2000
    assert len(burst.first_waits) <= 500


def test_the_same_arguments_give_the_same_outcome():
    small = Deadline(20, 100, 10)
    assert simulate(small, 3, Costs()) == simulate(small, 3, Costs())
    assert simulate(small, 3, Costs(), seed=2) != simulate(small, 3, Costs())


def test_more_judges_never_let_anybody_wait_longer_on_the_whole():
    medians = [quantile(simulate(BURST, judges, Costs()).waits, 0.5) for judges in (1, 2, 8, 64)]
    assert medians == sorted(medians, reverse=True)
    assert medians[-1] < 0.6  # with enough of them, a wait is the grading alone


def test_uploads_crowd_towards_the_end():
    late = [
        sum(moment > 30 for moment in Deadline(1, 4000, 60, sharp).moments(random.Random(1))) for sharp in (0, 1, 4)
    ]
    assert late == pytest.approx([2000, 3000, 3875], rel=0.03)
    assert BURST.peak_per_s == pytest.approx(66.7, rel=0.01)


def test_students_take_turns():
    line = FairQueue(is_superseding=False)
    for number in range(3):
        line.join(Upload(student=1, at=float(number)))
    line.join(Upload(student=2, at=5.0))
    assert [line.next(now=10.0 + number).student for number in range(4)] == [1, 2, 1, 1]
    assert line.length == 0


def test_in_an_assignment_a_newer_upload_keeps_the_place_of_the_older():
    line = FairQueue(is_superseding=True)
    for student, at in ((1, 0.0), (2, 1.0), (1, 2.0)):
        line.join(Upload(student, at))
    assert line.length == 2
    assert line.next(now=3.0) == Upload(1, 2.0)
    outcome = simulate(Deadline(50, 1000, 10, is_superseding=True), 1, Costs())
    assert outcome.superseded + len(outcome.waits) == 1000
    assert outcome.longest_line <= 50


def test_the_command_prints_a_row_for_each_number_of_judges():
    words = ["capacity", "--students", "100", "--within", "60", "--judges", "1", "--judges", "16", "--supersede"]
    done = CliRunner().invoke(cli, words)
    lines = done.output.splitlines()
    assert done.exit_code == 0
    assert lines[0] == "400 uploads by 100 students in 60 s, 13.3 a second at the end"
    assert [line.split()[0] for line in lines[2:]] == ["1", "16"]


@pytest.mark.parametrize("words", [["--students", "0"], [], ["--students", "5", "--judges", "0"]])
def test_what_makes_no_sense_is_wrong_usage(words: list[str]):
    done = CliRunner().invoke(cli, ["capacity", *words])
    assert done.exit_code == 2
    assert "Traceback" not in done.output
