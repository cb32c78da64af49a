"""A leaderboard, as the server tells it to a student."""

from engine.wire.base import Wire


class Interval(Wire):
    """A ratio to the reference, and the range in which it lies."""

    median: float
    low: float
    high: float


class Row(Wire):
    """A rank, and whose it is by pseudonym."""

    rank: int
    is_shared: bool = False
    pseudonym: str
    time: Interval | None = None
    memory: Interval | None = None
    is_mine: bool = False


class MyEntry(Wire):
    """The entry of whoever asks. `standing` says where it is on its way to a rank."""

    pseudonym: str
    standing: str
    problem: str | None = None


class Leaderboard(Wire):
    """The leaderboard of an assignment."""

    title: str
    is_held: bool = False
    rows: tuple[Row, ...] = ()
    mine: MyEntry | None = None
    may_join: bool = False
