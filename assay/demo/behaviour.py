"""What a made-up student does: which files, in which order, when. Everything follows from the random numbers."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import Final

from assay.demo.sources import COMMON, Mistakes, Sources

MENDED: Final = 0.6  # the others write it anew
LATE: Final = 0.08


@dataclass(frozen=True)
class Sent:
    """One submission of a student."""

    source: bytes
    at: datetime


def submissions(
    random: Random, sources: Sources, skill: float, opens_at: datetime, due_at: datetime, end: datetime
) -> list[Sent]:
    """Draws what one student sends and when, until `end`. `skill` is from 0 to 1."""
    if random.random() > 0.93 + 0.07 * skill:  # a few never begin
        return []
    files = list(_files(random, sources, skill))
    moment = _begin(random, skill, opens_at, due_at)
    sent = []
    for file in files:
        sent.append(Sent(file, moment))
        moment = _awake(moment + timedelta(minutes=random.lognormvariate(3.2, 1.1)))
    return [one for one in sent if one.at < end]


def _files(random: Random, sources: Sources, skill: float) -> Iterator[bytes]:
    """Two mistakes, then one, then none: each stage takes the less skilled more tries, and some give up."""
    if random.random() < 0.12:
        yield random.choice(sources.broken)
    mistakes = _first_mistakes(random, sources, skill)
    while mistakes:
        for _ in range(_tries(random, skill)):
            yield sources.wrong[mistakes]
        if random.random() > 0.8 + 0.2 * skill:
            return
        mistakes = _next(random, sources, mistakes, skill)
    yield sources.right[0] if random.random() < MENDED else random.choice(sources.right)


def _first_mistakes(random: Random, sources: Sources, skill: float) -> Mistakes:
    if random.random() < 0.35 * skill:
        return frozenset()
    count = 2 if random.random() < 0.75 - 0.6 * skill else 1
    choices = [mistakes for mistakes in sources.wrong if len(mistakes) == count]
    weights = [min(COMMON[name] for name in mistakes) for mistakes in choices]
    return random.choices(choices, weights)[0]


def _next(random: Random, sources: Sources, mistakes: Mistakes, skill: float) -> Mistakes:
    """One is mended; the less skilled sometimes make another in its place."""
    left = frozenset(random.sample(sorted(mistakes), len(mistakes) - 1))
    if random.random() < 0.35 * (1 - skill):
        return _first_mistakes(random, sources, 1 - skill)
    return left


def _tries(random: Random, skill: float) -> int:
    tries = 1
    while random.random() < 0.72 - 0.5 * skill and tries < 12:
        tries += 1
    return tries


def _begin(random: Random, skill: float, opens_at: datetime, due_at: datetime) -> datetime:
    """Most begin in the last days, and a few when it is too late for all the points."""
    if random.random() < LATE:
        return _awake(due_at + timedelta(hours=random.uniform(1, 44)))
    share = random.betavariate(2.5 + 2 * (1 - skill), 1.3)
    return _awake(opens_at + (due_at - opens_at) * share)


def _awake(moment: datetime) -> datetime:
    """Nearly nobody works between two and eight in the morning."""
    return moment + timedelta(hours=6) if 2 <= moment.hour < 8 else moment
