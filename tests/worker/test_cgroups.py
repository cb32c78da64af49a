"""Control groups bound a child where this user may make them; elsewhere the runner says that they are missing."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from grader.guest.limits import Ending, Limits
from grader.guest.submission import Submission
from worker.isolation import probe
from worker.private_runner import private_runner
from worker.runner_client import RunnerClient
from worker.sandbox.cgroups import CgroupError, Cgroups, open_cgroups, pid_of
from worker.sandbox.jobs import run_job
from worker.sandbox.supervisor import Session, SessionOverError
from worker.sandbox.zygote_client import Zygote, standard_options

PATH = "cs336_basics/layers.py"


@pytest.fixture
def cgroups() -> Iterator[Cgroups | None]:
    """None where this user may make no groups: the tests then expect that to be told."""
    try:
        opened = open_cgroups()
    except CgroupError:
        yield None
        return
    yield opened
    opened.close()


def is_in_force() -> bool:
    return next(layer.in_force for layer in probe() if layer.name == "cgroup limits")


def test_doctor_and_the_runner_agree_on_control_groups() -> None:
    with private_runner(imports_ahead="false") as runner:
        assert isinstance(runner, RunnerClient)
        expected = "; cgroup limits)" if is_in_force() else "; no cgroup limits)"
        assert runner.description.endswith(expected)


def test_a_child_lives_in_groups_with_its_limits_and_leaves_none_behind(cgroups: Cgroups | None) -> None:
    if cgroups is None:
        assert not is_in_force()
        return
    zygote = Zygote.start(standard_options(), cgroups)
    try:
        child = zygote.spawn(Limits(processes=9, memory_bytes=300 << 20))
        pid = str(pid_of(child.pidfd))
        assert child.groups
        for group in child.groups:
            assert pid in (group / "cgroup.procs").read_text().split()
        settings = {path.name: path.read_text().strip() for group in child.groups for path in group.glob("*max*")}
        assert settings["pids.max"] == "9"
        session = Session(child)
        session.await_ready()
        session.exchange(run_job(Submission(PATH, {PATH: b"x = 1"})).encode())
        session.end()
        cgroups.release(())
        assert not any(Path(group).exists() for group in child.groups)
    finally:
        zygote.stop()


def test_who_fills_its_group_is_out_of_memory_and_not_lost(cgroups: Cgroups | None) -> None:
    """The kernel ends it by SIGKILL, as somebody outside would."""
    if cgroups is None:
        assert not is_in_force()
        return
    zygote = Zygote.start(standard_options(), cgroups)
    try:
        child = zygote.spawn(Limits())
        for name in ("memory.max", "memory.limit_in_bytes"):  # less than resource limits, which otherwise come first
            for path in (group / name for group in child.groups if (group / name).exists()):
                path.write_text(str(32 << 20))
        session = Session(child)
        session.await_ready()
        with pytest.raises(SessionOverError) as caught:
            session.exchange(run_job(Submission(PATH, {PATH: b"x = b'x' * (100 << 20)"})).encode())
        assert caught.value.cause.ending is Ending.OUT_OF_MEMORY
        session.end()
    finally:
        zygote.stop()


def test_groups_of_a_killed_runner_are_removed_by_the_next(cgroups: Cgroups | None) -> None:
    if cgroups is None:
        assert not is_in_force()
        return
    dead = cgroups.controllers[0].parent.with_name("assay-999999999")
    (dead / "child-1").mkdir(parents=True)
    open_cgroups()
    assert not dead.exists()


def test_runners_that_start_at_once_remove_such_groups_together(cgroups: Cgroups | None) -> None:
    """Each finds groups that another has removed a moment before: that must not cost it its limits."""
    if cgroups is None:
        assert not is_in_force()
        return
    beside = cgroups.controllers[0].parent.parent
    dead = [beside / f"assay-99999{number:04}" for number in range(200)]
    for parent in dead:
        (parent / "child-1").mkdir(parents=True)
    with ThreadPoolExecutor(8) as runners:
        opened = [runners.submit(open_cgroups) for _ in range(8)]
    assert [future.exception() for future in opened] == [None] * 8
    assert not any(parent.exists() for parent in dead)
