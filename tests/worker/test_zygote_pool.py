"""The pool of zygotes."""

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from grader.alive import NOWHERE
from grader.guest.limits import Limits
from tests.patience import wait_until
from worker.sandbox.backend import Check, Child, Isolation, SandboxError
from worker.sandbox.supervisor import Session
from worker.sandbox.zygote_client import Zygote, standard_options
from worker.sandbox.zygote_pool import ZygotePool


@contextmanager
def started(check: Check, recycle_s: float = 3600.0) -> Iterator[ZygotePool]:
    pool = ZygotePool(standard_options(), recycle_s=recycle_s)
    try:
        pool.start(check)
        yield pool
    finally:
        pool.stop()


def in_order(child: Child) -> None:
    session = Session(child)
    session.await_ready()
    session.end()


def test_an_old_zygote_gets_a_successor_and_its_sessions_go_on() -> None:
    with started(in_order, recycle_s=0.0) as pool:
        before = Session(pool.child(Limits()))
        pool.recycle()
        after = Session(pool.child(Limits()))
        for session in (before, after):
            session.await_ready()
            session.end()


def test_nothing_is_served_where_the_first_zygote_is_not_tight() -> None:
    def leaks(child: Child) -> None:
        in_order(child)
        raise SandboxError("it is not tight here")

    with pytest.raises(SandboxError, match="not tight"), started(leaks):
        pass


def test_a_zygote_that_comes_after_one_that_died_is_tested_before_it_serves(monkeypatch: pytest.MonkeyPatch) -> None:
    tested = []

    def tight_only_once(child: Child) -> None:
        in_order(child)
        tested.append(child)
        if len(tested) > 1:
            raise SandboxError("it is not tight any more")

    with started(tight_only_once) as pool:
        threading.Thread(target=pool.tend, args=(NOWHERE.beat,), daemon=True).start()
        os.kill(pool._zygotes[0]._process.pid, signal.SIGKILL)
        wait_until(lambda: len(tested) >= 2)
        monkeypatch.setattr("worker.sandbox.zygote_pool._PATIENCE_S", 1.0)
        with pytest.raises(SandboxError):
            pool.child(Limits())


def test_a_child_that_is_not_ready_is_told_by_the_time_that_it_had_for_that() -> None:
    zygote = Zygote.start(standard_options())
    try:
        child = zygote.spawn(Limits(wall_s=7))
        child.ready_s = -60.0  # over before it began, whatever is given back to it
        session = Session(child)
        with pytest.raises(SandboxError, match="could not be confined: it did not finish within -60 s"):
            session.await_ready()
        session.abandon()
    finally:
        zygote.stop()


def test_levels_have_an_order() -> None:
    assert Isolation.GVISOR.is_at_least(Isolation.FULL)
    assert Isolation.STANDARD.is_at_least(Isolation.STANDARD)
    assert not Isolation.REDUCED.is_at_least(Isolation.STANDARD)
