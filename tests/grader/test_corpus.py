"""Submissions as students write them, each with the verdict it must get, in real sandboxes.

A file is named by what it proves; see tests/submissions.
"""

import multiprocessing
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor

import pytest
import torch

from grader.report import Report
from tests.grader.corpus import Entry, deviation, entries, grade_entry
from tests.grader.oversized import oversized
from tests.patience import PATIENCE_S
from worker.private_runner import private_runner
from worker.runner_client import RunnerClient

SEED = 5
JUDGES = 2
GRADE_S = PATIENCE_S
ENTRIES = [*entries(), *oversized()]


class Judge:
    """One of the processes that grade: it holds the client of the runner that all share."""

    runner: RunnerClient

    @classmethod
    def prepare(cls, runner: RunnerClient) -> None:
        torch.set_num_threads(1)
        cls.runner = runner

    @classmethod
    def report(cls, entry: Entry) -> Report:
        """No verdict depends on the time taken: it is taken of what the challenges themselves accept."""
        return grade_entry(entry, SEED, cls.runner, is_timed="/accepted_" in entry.name)


@pytest.fixture(scope="session")
def reports(request: pytest.FixtureRequest) -> Iterator[dict[str, "Future[Report]"]]:
    """The reports of the entries whose tests were chosen, graded two at a time in the order of the tests."""
    chosen = [
        item.callspec.params["entry"]
        for item in request.session.items
        if isinstance(item, pytest.Function) and item.function is test_the_verdict_is_what_the_folder_says
    ]
    spawn = multiprocessing.get_context("spawn")
    with (
        private_runner(sessions=JUDGES + 1) as runner,
        ProcessPoolExecutor(JUDGES, spawn, initializer=Judge.prepare, initargs=(runner,)) as pool,
    ):
        yield {entry.name: pool.submit(Judge.report, entry) for entry in chosen}


@pytest.mark.parametrize("entry", ENTRIES, ids=[entry.name for entry in ENTRIES])
def test_the_verdict_is_what_the_folder_says(entry: Entry, reports: dict[str, "Future[Report]"]) -> None:
    report = reports[entry.name].result(GRADE_S)
    assert deviation(entry, report) is None
    assert reads_as_a_sentence(report.summary)
    for test in report.tests:
        assert not test.message or reads_as_a_sentence(test.message), test.message


def reads_as_a_sentence(text: str) -> bool:
    """One line, with an end, and no trace of our own machinery."""
    traces = ("Traceback", "<class", "grader/", "worker/", "site-packages")
    return text.endswith((".", "?", "!")) and "\n" not in text and not any(trace in text for trace in traces)


def test_every_named_diagnosis_of_the_corpus_exists() -> None:
    assert {entry.kind for entry in ENTRIES} == {"", "Diagnosis", "Rule", "Rejected", "Says"}
    assert len({entry.name for entry in ENTRIES}) == len(ENTRIES)
