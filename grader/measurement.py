"""What measuring a passed submission for a leaderboard found. Knows no torch, so that every program can read it."""

from pydantic import Field

from grader.report_part import Part


class Interval(Part):
    """A ratio to a plain right answer: the median of all rounds, and the interval that holds the true median with 96 %
    confidence.
    """

    median: float = Field(gt=0)
    low: float = Field(gt=0)
    high: float = Field(gt=0)


class Measurement(Part):
    """The ratios, or why there are none."""

    time: Interval | None = Field(default=None, description="processor time of all threads, where that is counted")
    memory: Interval | None = Field(default=None, description="the peak of what was held")
    problem: str | None = Field(default=None, description="one sentence to the student: why it cannot be ranked")
