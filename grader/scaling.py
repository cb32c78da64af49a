"""How time and memory grow with the length of the sequence, by the kernel's count of what a session uses.

Processor time, not time that passes: what else the machine does would drown calls of a few milliseconds.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from grader.execution import Call, Outcome, Session
from grader.limits import Usage
from grader.report import Scaling

# Parts of the length that is timed. What is held after the shortest call, which comes first, any call would hold.
SHORTEST, SHORTER = 32, 4
# Memory comes in huge pages, and some is left over from the start, so a peak is known to a few MiB. With less than this
# at the shorter length the exponent would be a guess.
LEAST_BYTES = 8 << 20


@dataclass
class Meter:
    """Makes calls in one session, and keeps what each length took of it."""

    session: Session
    _cpu_s: dict[int, float] = field(default_factory=dict)  # the least of all calls: a disturbance only ever adds
    _peak_bytes: dict[int, int] = field(default_factory=dict)  # after the first: a peak never falls
    _used: Usage | None = None

    def call(self, call: Call, seq: int | None) -> Outcome:
        """Where the length means nothing, `seq` is None and nothing is kept."""
        outcome = self.session.call(replace(call, meter=seq is not None))
        if seq is not None and outcome.usage is not None:
            self._keep(seq, outcome.usage)
        return outcome

    def _keep(self, seq: int, usage: Usage) -> None:
        self._peak_bytes.setdefault(seq, usage.peak_bytes)
        if self._used is not None:
            taken_s = usage.cpu_s - self._used.cpu_s
            self._cpu_s[seq] = min(taken_s, self._cpu_s.get(seq, taken_s))
        self._used = usage

    def time_exponent(self, shorter: int, longer: int) -> float | None:
        return _slope(self._cpu_s, shorter, longer)

    def memory_exponent(self, shorter: int, longer: int) -> float | None:
        """Of what was held beyond the peak of the shortest call."""
        beyond = {seq: peak - min(self._peak_bytes.values()) for seq, peak in self._peak_bytes.items()}
        return _slope(beyond, shorter, longer) if beyond.get(shorter, 0) >= LEAST_BYTES else None


def scaling_of(theirs: Meter, ours: Meter, seq: int) -> Scaling | None:
    """None where nobody counts."""
    shorter, longer = lengths = seq // SHORTER, seq
    scaling = Scaling(
        lengths=lengths,
        time_exponent=theirs.time_exponent(shorter, longer),
        memory_exponent=theirs.memory_exponent(shorter, longer),
        plain_time_exponent=ours.time_exponent(shorter, longer),
        plain_memory_exponent=ours.memory_exponent(shorter, longer),
    )
    return None if scaling.time_exponent is None else scaling


def _slope(taken: Mapping[int, float], shorter: int, longer: int) -> float | None:
    """Of the logarithms."""
    if not (taken.get(shorter) and taken.get(longer)):
        return None
    return round(math.log(taken[longer] / taken[shorter]) / math.log(longer / shorter), 2)
