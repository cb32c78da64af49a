"""What a session has used, as the kernel counts it: processor time of all threads, and a peak that never falls."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise

import torch

from grader.guest.execution import Call, Session
from grader.guest.limits import Limits, Usage
from grader.guest.submission import Submission
from tests.patience import wait_until
from tests.worker.conftest import PATH
from worker.runner_client import RunnerClient

MIB = 1 << 20
SOURCE = b"""
import ctypes, threading, time, torch

WORKS_S = 0.3

def works(x):
    until = time.thread_time() + WORKS_S
    while time.thread_time() < until: pass
    return x

def works_in_threads(x):
    threads = [threading.Thread(target=works, args=(x,)) for _ in range(2)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    return x

def sleeps(x):
    time.sleep(WORKS_S)
    return x

def works_on(x):
    threading.Thread(target=works, args=(x,)).start()
    return x

def returns(x):
    return x

def holds(x):
    torch.ones(16 << 20)
    return x

def serve(guest, frame, program, submission, deadline):
    while frame is not None:
        guest.write_all(4, guest._encoded(guest._outcome(frame, program, submission, deadline)))
        frame = guest.read_frame(3)

def goes_on_in_another_thread():
    import sys, worker.sandbox.guest as guest
    caller = sys._getframe()
    while caller.f_code is not guest._run.__code__: caller = caller.f_back
    told = [caller.f_locals[name] for name in ("frame", "program", "submission", "deadline")]
    threading.Thread(target=serve, args=(guest, *told)).start()

def ends_its_first_thread(x):
    if threading.current_thread() is threading.main_thread():
        goes_on_in_another_thread()
        ctypes.CDLL(None).syscall(60, 0)  # exit, of this thread alone
    return x

def keeps_its_first_thread_in_the_kernel(x):
    if threading.current_thread() is threading.main_thread():
        goes_on_in_another_thread()
        for _ in range(200):  # pages are filled in one call of a library that does not hold Python's lock
            place = map_memory(None, 300 << 20, 3, 0x8022, -1, 0)
            unmap_memory(place, 300 << 20)
    return x

libc = ctypes.CDLL(None)
map_memory, unmap_memory = libc.mmap, libc.munmap
map_memory.restype = ctypes.c_void_p
map_memory.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
unmap_memory.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
"""


@contextmanager
def loaded(runner: RunnerClient) -> Iterator[Session]:
    with runner.open(Submission(PATH, {PATH: SOURCE}), Limits()) as session:
        session.load()
        yield session


def usage(session: Session, function: str) -> Usage:
    """After a call of this function."""
    session.call(Call(function, function, {"x": torch.ones(1)}))
    used = session.usage()
    assert used is not None
    return used


def test_work_is_counted_in_every_thread_and_waiting_is_not(runner: RunnerClient) -> None:
    with loaded(runner) as session:
        counts = [usage(session, name).cpu_s for name in ("works", "sleeps", "works", "works_in_threads")]
    slept, worked, worked_in_threads = (after - before for before, after in pairwise(counts))
    assert slept < 0.3 <= worked
    assert worked_in_threads >= 0.6


def test_a_peak_stays(runner: RunnerClient) -> None:
    with loaded(runner) as session:
        before, at_most, after = (usage(session, name).peak_bytes for name in ("sleeps", "holds", "sleeps"))
    assert 60 * MIB < at_most - before < 80 * MIB
    assert after == at_most


def test_it_is_told_whatever_came_of_the_call_and_until_the_end(runner: RunnerClient) -> None:
    with loaded(runner) as session:
        assert usage(session, "does_not_exist").cpu_s > 0
        session.end()
        assert session.usage() is None


def test_work_after_the_answer_is_counted_too(runner: RunnerClient) -> None:
    with loaded(runner) as session:
        before = usage(session, "works_on").cpu_s
        wait_until(lambda: usage(session, "returns").cpu_s - before > 0.2)


def test_nothing_of_it_runs_while_it_owes_no_answer(runner: RunnerClient) -> None:
    """Its threads could slow down the plain answer that it is timed against."""
    with loaded(runner) as session:
        before = usage(session, "works_on").cpu_s
        time.sleep(0.5)  # of which the thread would work most
        after = session.usage()
        assert after is not None
        assert after.cpu_s - before < 0.1
        assert usage(session, "works").cpu_s - after.cpu_s > 0.2  # and it goes on


def test_a_first_thread_that_stays_in_the_kernel_delays_the_answer_and_not_the_pause(runner: RunnerClient) -> None:
    """The kernel stops the others only when the first has heard of it."""
    with loaded(runner) as session:
        for _ in range(4):
            before = usage(session, "keeps_its_first_thread_in_the_kernel").cpu_s
            time.sleep(0.3)
            after = session.usage()
            assert after is not None
            assert after.cpu_s - before < 0.02


def test_it_is_counted_on_when_the_first_thread_has_ended_itself(runner: RunnerClient) -> None:
    with loaded(runner) as session:
        ended, worked, held = (usage(session, name) for name in ("ends_its_first_thread", "works", "holds"))
    assert worked.cpu_s - ended.cpu_s >= 0.3
    assert held.peak_bytes - worked.peak_bytes > 50 * MIB
