"""The whole corpus of probes, put to a real sandbox: no breach, no broken probe, and nothing left when it is over.

Another backend runs the same by an executor of its own: see `tests/probes/corpus.py`.
"""

import codecs
import multiprocessing
import os
import re
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path

import pytest
import torch

from grader.exercise import exercise_of
from grader.guest.execution import CallStatus, Ending
from grader.guest.limits import Limits
from grader.guest.submission import Submission
from grader.report import Report, Verdict
from tests.patience import PATIENCE_S, wait_until
from tests.probes import corpus
from tests.probes.corpus import Kind, Probe, probes
from tests.worker.ordinary import ordinary_runner, run_as_ordinary
from worker.private_runner import private_runner
from worker.runner_client import RunnerClient

PROJECT = Path(__file__).parents[2]
THREAT_MODEL = PROJECT / "docs" / "threat-model.md"
JUDGES = 2
GRADE_S = PATIENCE_S
ALL = tuple(probes())
ASKING = tuple(probe for probe in ALL if probe.asks_for_something)
PAIRS = tuple(probes(Kind.AFTERWARDS))
OPEN = tuple(probe for probe in ALL if probe.works_in_the_open)


def by_id(probe: Probe) -> str:
    return probe.id


# --- the corpus, two at a time ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def judges() -> Iterator[ProcessPoolExecutor]:
    """Processes that grade, for every runner the same: each takes seconds to start."""
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(JUDGES, spawn, initializer=torch.set_num_threads, initargs=(1,)) as pool:
        yield pool


@dataclass(frozen=True)
class Sitting:
    """The corpus under way against one runner, and what there was before it."""

    runner: RunnerClient
    before: "Traces"
    reports: dict[str, "Future[Report]"]

    def report(self, probe: Probe) -> Report:
        return self.reports[probe.id].result(GRADE_S)

    def finish(self) -> None:
        for future in self.reports.values():
            future.result(GRADE_S)


def sitting(runner: RunnerClient, judges: ProcessPoolExecutor, chosen: tuple[Probe, ...]) -> Sitting:
    before = Traces.of_now(runner)
    return Sitting(runner, before, {probe.id: judges.submit(corpus.grade_probe, probe, runner) for probe in chosen})


def chosen_for(request: pytest.FixtureRequest, test: object) -> tuple[Probe, ...]:
    """The probes whose tests were chosen."""
    items = (item for item in request.session.items if isinstance(item, pytest.Function) and item.function is test)
    return tuple(item.callspec.params["probe"] for item in items)


@pytest.fixture(scope="module")
def zygote(request: pytest.FixtureRequest, judges: ProcessPoolExecutor) -> Iterator[Sitting]:
    """Every probe against a runner that this user starts."""
    with private_runner(sessions=JUDGES + 1) as runner:
        sat = sitting(runner, judges, chosen_for(request, test_the_sandbox_gives_no_probe_what_it_asks))
        yield sat
        wait(sat.reports.values(), GRADE_S)


@pytest.fixture(scope="module")
def zygote_of_nobody(request: pytest.FixtureRequest, judges: ProcessPoolExecutor) -> Iterator[Sitting]:
    """Every probe against a runner without any privilege."""
    with ordinary_runner(sessions=JUDGES + 1) as runner:
        sat = sitting(runner, judges, chosen_for(request, test_a_runner_of_an_ordinary_user_gives_nothing_either))
        yield sat
        wait(sat.reports.values(), GRADE_S)


@pytest.mark.parametrize("probe", ALL, ids=by_id)
def test_the_sandbox_gives_no_probe_what_it_asks(probe: Probe, zygote: Sitting) -> None:
    assert corpus.deviation(probe, zygote.report(probe)) is None


def test_nothing_is_left_after_the_corpus(zygote: Sitting) -> None:
    zygote.finish()
    assert_nothing_is_left(zygote)
    assert_what_is_left_would_be_seen(zygote.runner)


@pytest.mark.skipif(os.getuid() != 0, reason="this user is an ordinary one: the whole corpus ran as such")
@pytest.mark.parametrize("probe", ALL, ids=by_id)
def test_a_runner_of_an_ordinary_user_gives_nothing_either(probe: Probe, zygote_of_nobody: Sitting) -> None:
    assert corpus.deviation(probe, zygote_of_nobody.report(probe)) is None


@pytest.mark.skipif(os.getuid() != 0, reason="this user is an ordinary one: the whole corpus ran as such")
def test_nothing_is_left_after_the_corpus_of_an_ordinary_user(zygote_of_nobody: Sitting) -> None:
    zygote_of_nobody.finish()
    assert_nothing_is_left(zygote_of_nobody)
    assert_what_is_left_would_be_seen(zygote_of_nobody.runner)


# --- afterwards ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Traces:
    """What a submission could leave on the machine."""

    files: frozenset[str]
    mounts: frozenset[str]
    groups: frozenset[str]
    processes: frozenset[int]

    @classmethod
    def of_now(cls, runner: RunnerClient) -> "Traces":
        folders = [
            Path(folder) for folder in ("/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue", "/") if Path(folder).is_dir()
        ]
        return cls(
            files=frozenset(str(path) for folder in folders for path in folder.glob("*assay-probe*")),
            mounts=frozenset(_mounts()),
            groups=frozenset(_groups_below(f"assay-{_pid_of(runner)}")),
            processes=frozenset(_sandboxed(_pid_of(runner))),
        )


def assert_nothing_is_left(sat: Sitting) -> None:
    """No file, no mount, and no process or control group but those of warm children; and it still works."""

    def is_in_bounds() -> bool:
        found = Traces.of_now(sat.runner)
        return all(len(getattr(found, name)) <= _WAITING * _PER_CHILD[name] for name in ("processes", "groups"))

    wait_until(is_in_bounds, lambda: str(Traces.of_now(sat.runner)))
    now = Traces.of_now(sat.runner)
    assert now.files <= sat.before.files
    assert now.mounts <= sat.before.mounts
    assert corpus.grade_under_limits(corpus.right(), sat.runner).verdict is Verdict.PASSED


def assert_what_is_left_would_be_seen(runner: RunnerClient) -> None:
    """As a warm child is, with its groups where there are some."""
    wanted = {"processes": True, "groups": "; cgroup limits" in runner.description}
    wait_until(lambda: {name: bool(getattr(Traces.of_now(runner), name)) for name in wanted} == wanted)


def _mounts() -> Iterator[str]:
    """But for those of containers, which come and go on a machine where an engine runs."""
    for line in Path("/proc/self/mountinfo").read_text().splitlines():
        if not line.split()[4].startswith(
            ("/var/lib/docker/", "/run/docker/", "/var/lib/containerd/", "/run/containerd/")
        ):
            yield line


def _groups_below(name: str) -> Iterator[str]:
    """`os.walk`, as a glob fails where a group of somebody else goes while it looks."""
    for parent, groups, _ in os.walk("/sys/fs/cgroup"):
        if Path(parent).name == name:
            yield from (f"{parent}/{group}" for group in groups if group.startswith("child-"))


_WAITING = 2  # one child for each of the last two limits
_PER_CHILD = {"processes": 1, "groups": 2}  # version 1 of control groups has one tree for memory and one for numbers


def _pid_of(runner: RunnerClient) -> int:
    """The runner that serves this client: the one that was told the client's socket."""
    told = f"ASSAY_RUNNER_SOCKET={runner._path}".encode()
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if told in (process / "environ").read_bytes().split(b"\0"):
                return int(process.name)
        except OSError:
            continue
    raise AssertionError("no runner serves this client")


def _sandboxed(runner: int) -> Iterator[int]:
    """Processes below a runner that are in a pid namespace inside the zygote's: those have three numbers."""
    parents: dict[int, int] = {}
    inside: set[int] = set()
    for process in Path("/proc").glob("[0-9]*"):
        try:
            status = dict(line.split(":", 1) for line in (process / "status").read_text().splitlines() if ":" in line)
        except OSError:
            continue
        parents[int(process.name)] = int(status["PPid"])
        if len(status["NSpid"].split()) >= 3:
            inside.add(int(process.name))
    for pid in inside:
        ancestor = pid
        while ancestor not in (0, runner):
            ancestor = parents.get(ancestor, 0)
        if ancestor == runner:
            yield pid


# --- is a probe worth anything? --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def right_report(runner: RunnerClient) -> Report:
    return corpus.grade_under_limits(corpus.right(), runner)


@pytest.fixture(scope="module")
def right_output(runner: RunnerClient) -> torch.Tensor:
    return first_output(corpus.right(), runner)


def first_output(submission: Submission, runner: RunnerClient) -> torch.Tensor:
    """The answer to the first question of the paper."""
    call = exercise_of(corpus.challenge()).paper(corpus.SEED).cases[0].call
    execution = runner.run(submission, [call], corpus.challenge().manifest.session_limits)
    assert (execution.ending, execution.problem) == (Ending.COMPLETED, None)
    assert execution.outcomes[0].status is CallStatus.RETURNED
    return execution.outcomes[0].outputs[0]


def test_the_solution_behind_the_probes_passes(right_report: Report) -> None:
    assert right_report.verdict is Verdict.PASSED


def test_a_wrong_answer_alone_fails(runner: RunnerClient) -> None:
    assert corpus.grade_under_limits(corpus.wrong(), runner).verdict is Verdict.FAILED


@pytest.mark.parametrize("probe", ASKING, ids=by_id)
def test_a_probe_that_gets_what_it_asks_gives_the_solutions_answers(
    probe: Probe, runner: RunnerClient, right_output: torch.Tensor
) -> None:
    """So `passed` does mean that it got it. Only a call instead of the paper: what follows is the same text for all."""
    submission = corpus.granted(probe)
    assert runner.inspect(submission, corpus.challenge().manifest.source_rules).refusal is None
    assert torch.equal(first_output(submission, runner), right_output)


def test_a_probe_that_gets_what_it_asks_passes(runner: RunnerClient) -> None:
    assert corpus.grade_under_limits(corpus.granted(ASKING[0]), runner).verdict is Verdict.PASSED


def test_the_words_that_a_probe_looks_for_are_the_exercises() -> None:
    """Told in another alphabet there, so that it does not find its own."""
    source = (corpus.FOLDER / "access" / "finds_words_of_the_exercise_in_memory.py").read_text()
    told = re.search(r'WORDS = "([^"]+)"', source)
    assert told is not None
    folder = corpus.challenge().folders[0]
    known = "".join(path.name + path.read_text() for path in folder.rglob("*") if path.suffix in (".toml", ".py"))
    assert [word for word in codecs.decode(told[1], "rot13").split() if word not in known] == []


@pytest.mark.parametrize(
    "probe", [probe for probe in PAIRS if "zygote" in probe.layers or "tmpfs" in probe.layers], ids=by_id
)
def test_a_trace_is_found_by_the_submission_that_left_it(probe: Probe, runner: RunnerClient) -> None:
    """Where leaving one is not forbidden by itself; so the next one not finding it means something."""
    execution = runner.run(corpus.leaving_and_finding(probe), [], Limits())
    assert (execution.ending, execution.problem) == (Ending.COMPLETED, None)


@pytest.fixture(scope="module")
def failed_in_the_open(request: pytest.FixtureRequest) -> dict[str, str]:
    """What went wrong with each probe that was run without a sandbox."""
    chosen = chosen_for(request, test_without_a_sandbox_a_probe_gets_what_it_asks)
    return run_as_ordinary({probe.id: corpus.alone(probe) for probe in chosen})


@pytest.mark.parametrize("probe", OPEN, ids=by_id)
def test_without_a_sandbox_a_probe_gets_what_it_asks(probe: Probe, failed_in_the_open: dict[str, str]) -> None:
    """As an ordinary user: so it is the sandbox that refuses it, and not a mistake in the probe."""
    assert failed_in_the_open[probe.id] == ""


# --- the corpus and the document say the same ------------------------------------------------------------------------


def test_the_corpus_is_as_large_as_it_says() -> None:
    assert len({probe.id for probe in ALL}) == len(ALL) >= 80
    assert {probe.kind for probe in ALL} == set(Kind)


@pytest.mark.parametrize("probe", ALL, ids=by_id)
def test_a_probe_names_layers_that_there_are(probe: Probe) -> None:
    assert probe.layers
    assert set(probe.layers) <= set(corpus.LAYERS)
    assert probe.asks.endswith(".")


def test_the_threat_model_lists_every_probe_under_its_layer() -> None:
    """`python -m tests.probes.index` writes the table anew."""
    assert corpus.index() in THREAT_MODEL.read_text()


def test_every_file_and_test_that_the_threat_model_names_exists() -> None:
    text = THREAT_MODEL.read_text()
    named = set(re.findall(r"`((?:tests|worker|grader|docs|app|challenges|deploy|engine|assay)/[\w./*-]+)`", text))
    assert named
    assert [name for name in sorted(named) if not [*PROJECT.glob(name.rstrip("/"))]] == []
    known = "".join(path.read_text() for path in (PROJECT / "tests").rglob("test_*.py"))
    assert [name for name in sorted(set(re.findall(r"`(test_\w+)`", text))) if f"def {name}(" not in known] == []
