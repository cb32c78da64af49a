"""The time of one session. It counts only while a processor is free for the child: on a busy machine a right solution
must not be a slow one.
"""

from worker.sandbox.backend import Child

_STARVED_MAX_S = 30.0  # whoever waits for the answer has patience for that, and some more
_WORTH_WAITING_S = 0.02


class Clock:
    """What a child has left of its time, and what it had of it. `left_s` goes down while it owes an answer."""

    def __init__(self, child: Child) -> None:
        self._child = child
        self.left_s = child.limits.wall_s
        self._starved_before_s = 0.0
        self._given_back_s = 0.0
        self._not_given_back_s = 0.0
        self._used_s = 0.0

    def begin(self) -> None:
        """Starts to count, once the child is confined: what it starved before has nothing to do with its time."""
        self._starved_before_s = self._child.starved_s()

    def give_back(self) -> float:
        """Gives back the seconds of its time in which no processor was free, and returns how many; 0 when they are too
        few. It cannot bring that about at length by itself: all its threads together have `cpu_s`.
        """
        starved_s = self._starved_s() - self._given_back_s
        if starved_s < _WORTH_WAITING_S:
            return 0.0
        self._given_back_s += starved_s
        self.left_s += starved_s
        return starved_s

    def stop(self) -> None:
        """Reads, just before the child is killed, what nobody can tell of it afterwards."""
        self._not_given_back_s = max(0.0, self._starved_s() - self._given_back_s)
        usage = self._child.usage()
        self._used_s = usage.cpu_s if usage else 0.0

    def counted_s(self) -> float:
        """Returns how long it took. Part of the starving is left out; what it used a processor for always counts."""
        counted_s = self._child.limits.wall_s - self.left_s
        return max(counted_s - self._not_given_back_s, min(counted_s, self._used_s))

    def _starved_s(self) -> float:
        return min(self._child.starved_s() - self._starved_before_s, _STARVED_MAX_S)
