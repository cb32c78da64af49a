"""The corpus of probes, put to containers: with runc and with gVisor. `make test-docker` runs it."""

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, wait

import pytest

from grader.report import Verdict
from tests.not_run import note
from tests.patience import PATIENCE_S
from tests.probes import corpus
from tests.probes.corpus import Kind, Probe
from tests.worker import backends
from tests.worker.backends import Backend
from tests.worker.test_probes import ALL, JUDGES, Sitting, assert_nothing_is_left, by_id, judges, sitting

__all__ = ["judges"]  # a fixture

GRADE_S = PATIENCE_S

if not backends.ARE_ASKED_FOR:
    pytest.skip(f"NOT RUN in containers: {len(ALL)} probes; `make test-docker` runs them", allow_module_level=True)


@pytest.fixture(scope="module", params=[backends.DOCKER, backends.GVISOR], ids=str)
def container(request: pytest.FixtureRequest) -> Backend:
    chosen: Backend = request.param
    chosen.require()
    return chosen


@pytest.fixture(scope="module")
def sat(container: Backend, judges: ProcessPoolExecutor, request: pytest.FixtureRequest) -> Iterator[Sitting]:
    chosen = {item.callspec.params["probe"].id for item in request.session.items if is_of(item, container)}
    # a judge may hold two sessions at a time: a submission and the baseline that it is timed against
    with container.runner(sessions=2 * JUDGES) as runner:
        note(request.config, f"sandbox {container.name}", runner.description)
        sitting_now = sitting(runner, judges, tuple(probe for probe in ALL if probe.id in chosen))
        yield sitting_now
        wait(sitting_now.reports.values(), GRADE_S)


def is_of(item: pytest.Item, container: Backend) -> bool:
    params = item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
    return params.get("container") is container and "probe" in params


@pytest.mark.parametrize("probe", ALL, ids=by_id)
def test_a_container_gives_no_probe_what_it_asks(container: Backend, probe: Probe, sat: Sitting) -> None:
    """With a kernel of its own around it, a submission may have what is no escape by itself. And where others refuse
    it memory, gVisor has it ended for what it took.
    """
    report = sat.reports[probe.id].result(GRADE_S)
    if container is backends.GVISOR and probe.is_surface and report.verdict is Verdict.PASSED:
        return
    told = corpus.deviation(probe, report)
    ended = probe.kind is Kind.LIMITS and report.verdict is Verdict.ERROR and "of memory" in report.summary
    assert told is None or (container is backends.GVISOR and ended and told.startswith(corpus.BROKEN))


def test_nothing_is_left_after_the_corpus_in_containers(container: Backend, sat: Sitting) -> None:
    wait(sat.reports.values(), GRADE_S)
    assert container.sandboxed(sat.runner) == frozenset()
    assert_nothing_is_left(sat)
