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
from tests.grader.one_paper import keep_all_predictions
from tests.grader.oversized import oversized
from tests.patience import PATIENCE_S
from worker.judge import settle_heap
from worker.private_runner import private_runner
from worker.runner_client import RunnerClient

SEED = 5
LARGEST = "mha-rope"  # as many submissions as all others have together
GRADE_S = PATIENCE_S
ENTRIES = [*entries(), *oversized()]


class Judge:
    """One of the processes that grade: it holds the client of the runner that all share."""

    runner: RunnerClient

    @classmethod
    def prepare(cls, runner: RunnerClient) -> None:
        torch.set_num_threads(1)
        keep_all_predictions()
        settle_heap()
        cls.runner = runner

    @classmethod
    def report(cls, entry: Entry) -> Report:
        """No verdict depends on the time taken: it is taken of what the challenges themselves accept."""
        return grade_entry(entry, SEED, cls.runner, is_timed="/accepted_" in entry.name)


@pytest.fixture(scope="session")
def reports(request: pytest.FixtureRequest) -> Iterator[dict[str, "Future[Report]"]]:
    """The reports of the entries whose tests were chosen, graded in the order of the tests: those of the largest
    challenge by one process and all others by another, so that each has to know its own papers only.
    """
    chosen = [
        item.callspec.params["entry"]
        for item in request.session.items
        if isinstance(item, pytest.Function) and item.function is test_the_verdict_is_what_the_folder_says
    ]
    with private_runner(sessions=3) as runner, judge(runner) as one, judge(runner) as other:
        yield {
            entry.name: (one if entry.challenge == LARGEST else other).submit(Judge.report, entry) for entry in chosen
        }


def judge(runner: RunnerClient) -> ProcessPoolExecutor:
    """A process that grades."""
    spawn = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(1, spawn, initializer=Judge.prepare, initargs=(runner,))


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
