"""Tries mutants in a process of its own, beside the rest of a proof: one that never ends, or asks for all memory, is
noticed too.
"""

import math
import multiprocessing
import os
import resource
import signal
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

import torch

from grader.challenge import Challenge
from grader.proof.mutants import Mutant
from grader.proof.mutation import SEEDS, Kill, MutantOutcome, mutant_outcomes

START_S = 120.0  # torch is imported and the papers are drawn, perhaps on a busy machine
# Of the processor, so that a busy machine makes no mutant look endless; the clock is for one that only waits.
MUTANT_CPU_S = 20.0
MUTANT_S = 300.0
MEMORY_BYTES = 4 << 30
NEVER_ENDED = "no end within time and memory"

Kills = tuple[Kill | None, ...]


class TrialsFailed(Exception):
    """The process ended before it tried anything: the challenge itself cannot be run."""


def bounded_trials(
    challenge: Challenge, mutants: Sequence[Mutant], cpu_s: float = MUTANT_CPU_S, method: str = "spawn"
) -> Iterator[MutantOutcome]:
    """Begins at once; the outcomes come in order. `method` is how Python starts the process. Raises TrialsFailed."""
    begin = partial(_start, challenge, cpu_s=cpu_s, method=method)
    return _watch(mutants, begin, begin(mutants))


@dataclass(frozen=True)
class _Child:
    process: BaseProcess
    pipe: Connection

    def next_kills(self, timeout_s: float) -> Kills | None:
        """Waits for the outcome of the next mutant. Returns None when the process hangs or is gone."""
        try:
            if self.pipe.poll(timeout_s):
                kills: Kills = self.pipe.recv()
                return kills
        except EOFError:
            pass
        return None

    def end(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()


def _start(challenge: Challenge, mutants: Sequence[Mutant], *, cpu_s: float, method: str) -> _Child:
    context: Any = multiprocessing.get_context(method)
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_try_all, args=(challenge, mutants, cpu_s, theirs), daemon=True)
    process.start()
    theirs.close()
    return _Child(process, ours)


def _watch(
    mutants: Sequence[Mutant], begin: Callable[[Sequence[Mutant]], _Child], child: _Child
) -> Iterator[MutantOutcome]:
    try:
        for number, mutant in enumerate(mutants):
            if number == 0 and child.next_kills(START_S) is None:
                raise TrialsFailed("the process that tries mutants ended before it began; what it printed says why")
            kills = child.next_kills(MUTANT_S)
            if kills is None:
                child.end()
                kills = (Kill(NEVER_ENDED, math.inf),) * len(SEEDS)
                child = begin(mutants[number + 1 :])
                child.next_kills(START_S)
            yield MutantOutcome(mutant, kills)
    finally:
        child.end()


def _try_all(challenge: Challenge, mutants: Sequence[Mutant], cpu_s: float, pipe: Connection) -> None:
    """Runs in the child: sends an empty message when it is ready, then what killed each mutant."""
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_BYTES, MEMORY_BYTES))
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")  # mutants divide by zero and worse
    outcomes = mutant_outcomes(challenge, mutants)
    pipe.send(())
    signal.setitimer(signal.ITIMER_PROF, cpu_s)  # nobody catches its signal: the process ends
    try:
        for outcome in outcomes:
            pipe.send(outcome.kills)
            signal.setitimer(signal.ITIMER_PROF, cpu_s)
    except MemoryError:  # without room for a traceback, Python would print a thousand lines
        os._exit(1)
