"""How time and memory grow with the length of the sequence, by the kernel's count of what a session uses.

Processor time, not time that passes: what else the machine does would drown calls of a few milliseconds.
"""

import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

from grader.efficiency_report import Scaling
from grader.guest.execution import Call, Outcome, Session
from grader.guest.limits import Usage

# Parts of the length that is timed. What is held after the shortest call, which comes first, any call would hold.
SHORTEST, SHORTER = 32, 4
# Memory comes in huge pages, and some is left over from the start, so a peak is known to a few MiB. With less than this
# at the shorter length the exponent would be a guess.
LEAST_BYTES = 8 << 20


@dataclass(frozen=True)
class Times:
    """Seconds that calls took, by the length of their sequence; where that means nothing, it is None."""

    cpu_s: Mapping[int | None, list[float]] = field(default_factory=lambda: defaultdict(list))
    elapsed_s: Mapping[int | None, list[float]] = field(default_factory=lambda: defaultdict(list))

    def exponent(self, shorter: int, longer: int) -> float | None:
        """The power of the length with which processor time grows from one to the other; None where it is not known.
        Of the least of all calls: a disturbance only ever adds.
        """
        return _slope({seq: min(taken) for seq, taken in self.cpu_s.items() if seq and taken}, shorter, longer)


@dataclass
class Meter:
    """Makes calls in one session, and keeps what each length took of it."""

    session: Session
    times: Times = field(default_factory=Times)
    _peak_bytes: dict[int, int] = field(default_factory=dict)  # after the first: a peak never falls
    _used: Usage | None = field(init=False)

    def __post_init__(self) -> None:
        self._used = self.session.usage()

    @property
    def is_counting(self) -> bool:
        """Whether what this session uses has been counted all the time."""
        return self._used is not None

    def call(self, call: Call, seq: int | None) -> Outcome:
        """Makes one call, of which all is counted that its session uses until the next one."""
        outcome = self.session.call(call)
        taken_s = self._taken_s()
        self.times.elapsed_s[seq].append(outcome.elapsed_s)
        if taken_s is not None:
            self.times.cpu_s[seq].append(taken_s)
        if seq is not None and self._used is not None:
            self._peak_bytes.setdefault(seq, self._used.peak_bytes)
        return outcome

    def settle(self, seq: int | None) -> None:
        """Counts to the last call, of this length, what has been used since."""
        taken_s = self._taken_s()
        if taken_s is not None:
            self.times.cpu_s[seq][-1] += taken_s

    def _taken_s(self) -> float | None:
        """Since this was asked last. Once nobody could tell, nobody is asked again."""
        before = self._used
        if before is None:
            return None
        self._used = self.session.usage()
        return None if self._used is None else self._used.cpu_s - before.cpu_s

    def memory_exponent(self, shorter: int, longer: int) -> float | None:
        """Returns the exponent with which memory grows, counted beyond the peak of the shortest call; None where that
        is too little.
        """
        beyond = {seq: peak - min(self._peak_bytes.values()) for seq, peak in self._peak_bytes.items()}
        return _slope(beyond, shorter, longer) if beyond.get(shorter, 0) >= LEAST_BYTES else None


def time_scaling(theirs: Times, plain: Times, seq: int) -> Scaling | None:
    """Compares how the time grows from a quarter of `seq` to `seq`, as exponents. None where it cannot be measured."""
    shorter, longer = lengths = seq // SHORTER, seq
    exponent = theirs.exponent(shorter, longer)
    if exponent is None:
        return None
    return Scaling(lengths=lengths, time_exponent=exponent, plain_time_exponent=plain.exponent(shorter, longer))


def scaling_of(theirs: Meter, ours: Meter, seq: int) -> Scaling | None:
    """Compares how time and memory grow, each measured in a fresh session. None where they cannot be measured."""
    scaling = time_scaling(theirs.times, ours.times, seq)
    if scaling is None:
        return None
    memory = {
        "memory_exponent": theirs.memory_exponent(*scaling.lengths),
        "plain_memory_exponent": ours.memory_exponent(*scaling.lengths),
    }
    return scaling.model_copy(update=memory)


def _slope(taken: Mapping[int, float], shorter: int, longer: int) -> float | None:
    """Of the logarithms."""
    if not (taken.get(shorter) and taken.get(longer)):
        return None
    return round(math.log(taken[longer] / taken[shorter]) / math.log(longer / shorter), 2)
