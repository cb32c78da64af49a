"""The corpus of probes, put to what confines a submission in Gradescope's container. `make test-gradescope` runs it."""

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, wait

import pytest

from grader.report import Verdict
from tests.not_run import note
from tests.patience import PATIENCE_S
from tests.probes import corpus
from tests.probes.corpus import Probe
from tests.worker.backends import CHROOT, GRADESCOPE_IS_ASKED_FOR
from tests.worker.test_probes import ALL, JUDGES, Sitting, assert_nothing_is_left, by_id, chosen_for, judges, sitting

__all__ = ["judges"]  # a fixture

GRADE_S = 3 * PATIENCE_S

# What this level does not keep from a submission; docs/gradescope.md says so of each.
OPEN = frozenset(
    {
        *("knows_its_number_outside", "knows_where_it_lies", "maps_its_own_file_as_code", "sees_the_machines_name"),
        *("fills_the_disk", "makes_many_files", "nests_folders_deeply"),
    }
)

if not GRADESCOPE_IS_ASKED_FOR:
    pytest.skip(
        f"NOT RUN as in Gradescope: {len(ALL)} probes; `make test-gradescope` runs them", allow_module_level=True
    )


@pytest.fixture(scope="module")
def sat(judges: ProcessPoolExecutor, request: pytest.FixtureRequest) -> Iterator[Sitting]:
    with CHROOT.runner(sessions=2 * JUDGES) as runner:
        note(request.config, f"sandbox {CHROOT.name}", runner.description)
        sitting_now = sitting(runner, judges, chosen_for(request, test_a_probe_gets_only_what_is_said_to_be_open))
        yield sitting_now
        wait(sitting_now.reports.values(), GRADE_S)


@pytest.mark.parametrize("probe", ALL, ids=by_id)
def test_a_probe_gets_only_what_is_said_to_be_open(probe: Probe, sat: Sitting) -> None:
    report = sat.reports[probe.id].result(GRADE_S)
    if probe.name in OPEN:
        # It got what it asked for, or docs/gradescope.md says too little of this sandbox. How it asks may break a rule.
        assert report.verdict in (Verdict.PASSED, Verdict.FAILED)
        assert {test.group for test in report.tests if test.status.is_failure} <= {"structure"}
        return
    assert corpus.deviation(probe, report) is None


def test_nothing_is_left_after_the_corpus_as_in_gradescope(sat: Sitting) -> None:
    wait(sat.reports.values(), GRADE_S)
    assert CHROOT.sandboxed(sat.runner) == frozenset()
    assert_nothing_is_left(sat)
