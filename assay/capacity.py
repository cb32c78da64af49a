"""A simulation of a deadline: students upload more and more towards its end, judges take them in the fair order.

What it leaves out: several courses at once, messages already dispatched, judges that fail, come and go.
docs/scaling.md says how well it foretells what was measured.
"""

import heapq
import random
from collections import deque
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field

import simpy

# `python -m benchmarks.footprint`, docs/scaling.md: two judges on two processors, half of the submissions wrong.
SECONDS_EACH = 0.47
SPREAD = 0.2  # of the time that one takes: its standard deviation by its mean


@dataclass(frozen=True)
class Deadline:
    """What comes. The rate grows with the time to the power of `sharpness`: 0 evenly, 1 steadily, 4 most at the end."""

    students: int
    uploads: int
    within_s: float
    sharpness: float = 1.0
    is_superseding: bool = False  # as in an assignment: a newer upload takes the place of one that still waits

    def moments(self, draw: random.Random) -> list[float]:
        """Draws the moments of all uploads, in seconds from the beginning."""
        return sorted(self.within_s * draw.random() ** (1 / (self.sharpness + 1)) for _ in range(self.uploads))

    @property
    def peak_per_s(self) -> float:
        """Uploads a second just before the end."""
        return self.uploads * (self.sharpness + 1) / self.within_s


@dataclass(frozen=True)
class Costs:
    """Seconds of a judge for a submission; of the judges' processors for an upload, if the front end is there too."""

    grade_s: float = SECONDS_EACH
    upload_s: float = 0.0

    def draw(self, draw: random.Random) -> float:
        """Draws the seconds of one grading from a gamma distribution: never negative, and longer to one side."""
        shape = 1 / SPREAD**2
        return draw.gammavariate(shape, self.grade_s / shape)


@dataclass(frozen=True)
class Upload:
    """One submission in the queue."""

    student: int
    at: float


@dataclass
class SimulationResult:
    """What became of it, in seconds."""

    waits: list[float] = field(default_factory=list)  # from each upload to its report
    first_waits: list[float] = field(default_factory=list)  # of the first upload of each student
    superseded: int = 0
    longest_line: int = 0
    ended: float = 0.0  # when the last report was there


class FairQueue:
    """Round-robin between students: who was served longest ago, or never, goes first; then who has waited longest."""

    def __init__(self, is_superseding: bool) -> None:
        self._is_superseding = is_superseding
        self._waiting: dict[int, deque[Upload]] = {}
        self._turns: dict[int, float] = {}
        self._heads: list[tuple[float, float, int]] = []
        self.length = 0

    def join(self, upload: Upload) -> None:
        """Queues an upload; it takes the place of an older one of its student where newer ones supersede."""
        mine = self._waiting.setdefault(upload.student, deque())
        if mine and self._is_superseding:
            mine[0] = upload  # in the place of the older one
            return
        self.length += 1
        mine.append(upload)
        if len(mine) == 1:
            self._show(upload)

    def next(self, now: float) -> Upload:
        """Takes the upload whose turn it is. The queue must not be empty."""
        self.length -= 1
        _, _, student = heapq.heappop(self._heads)
        mine = self._waiting[student]
        upload = mine.popleft()
        self._turns[student] = now
        if mine:
            self._show(mine[0])
        return upload

    def _show(self, upload: Upload) -> None:
        turn = self._turns.get(upload.student, -1.0)
        heapq.heappush(self._heads, (turn, upload.at, upload.student))


class Service:
    """Judges and the queue before them, in simulated time."""

    def __init__(self, deadline: Deadline, costs: Costs, judges: int, draw: random.Random) -> None:
        self._time = simpy.Environment()
        self._line = FairQueue(deadline.is_superseding)
        self._free = judges
        self._deadline, self._costs, self._draw = deadline, costs, draw
        self._taken_s = 0.0  # of the judges' processors, by uploads, and not yet paid back
        self._seen: set[int] = set()
        self.outcome = SimulationResult()

    def run(self) -> SimulationResult:
        """Simulates until the last report is there."""
        self._time.process(self._arrivals())
        self._time.run()
        self.outcome.ended = self._time.now
        self.outcome.superseded = self._deadline.uploads - len(self.outcome.waits)
        return self.outcome

    def _arrivals(self) -> Generator[simpy.Event]:
        for moment in self._deadline.moments(self._draw):
            yield self._time.timeout(moment - self._time.now)
            self._line.join(Upload(self._draw.randrange(self._deadline.students), moment))
            self._taken_s += self._costs.upload_s
            self._serve()
            self.outcome.longest_line = max(self.outcome.longest_line, self._line.length)

    def _serve(self) -> None:
        while self._free and self._line.length:
            self._free -= 1
            self._time.process(self._grade(self._line.next(self._time.now)))

    def _grade(self, upload: Upload) -> Generator[simpy.Event]:
        yield self._time.timeout(self._costs.draw(self._draw))
        while self._taken_s:  # who uploads goes first
            late, self._taken_s = self._taken_s, 0.0
            yield self._time.timeout(late)
        wait = self._time.now - upload.at
        self.outcome.waits.append(wait)
        if upload.student not in self._seen:  # a student's uploads are graded in the order in which they came
            self._seen.add(upload.student)
            self.outcome.first_waits.append(wait)
        self._free += 1
        self._serve()


def simulate(deadline: Deadline, judges: int, costs: Costs, seed: int = 1) -> SimulationResult:
    """Simulates a deadline. The same arguments give the same outcome."""
    return Service(deadline, costs, judges, random.Random(seed)).run()  # noqa: S311  nobody's secret


def quantile(values: Sequence[float], part: float) -> float:
    """Returns the value of the sorted list at this part of it, by the nearest rank."""
    return sorted(values)[min(len(values) - 1, int(part * len(values)))]
