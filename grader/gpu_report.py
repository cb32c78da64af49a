"""What the GPU stage found of a submission, beside its report. Knows no torch, so that every program can read it."""

from enum import StrEnum

from pydantic import Field

from grader.report_part import Part


class GpuState(StrEnum):
    """How far a submission's GPU stage is. It begins after a passed verdict, and never changes it."""

    NOT_RUN = "not_run"  # there was no worker with a GPU
    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"  # right there too, and measured
    FAILED = "failed"  # it did not come to its end, or was wrong there

    @property
    def is_open(self) -> bool:
        """Whether the stage is still to end."""
        return self in (GpuState.WAITING, GpuState.RUNNING)


class Spread(Part):
    """Of some measurements of one thing."""

    median: float
    least: float
    most: float


class GpuTests(Part):
    """The paper's cases on the device, with numbers of one kind."""

    dtype: str
    passed: int
    total: int
    worst: float | None = Field(default=None, description="the largest error, in tolerances")
    message: str = Field(default="", description="what the first that failed is about")


class GpuReport(Part):
    """What the GPU stage found. Ratios are to the same plain right answer, on the same device, in turns with it."""

    device: str = Field(description="its name, or cpu where a test stands in for one")
    is_right: bool = Field(description="it came to its end, and every test passed")
    message: str = Field(description="one sentence to the student")
    tests: tuple[GpuTests, ...] = ()
    size: str | None = Field(default=None, description="what was timed")
    seconds: float | None = Field(default=None, description="the median time of one call, taken from outside")
    time: Spread | None = Field(default=None, description="ratio of times taken from outside")
    device_time: Spread | None = Field(default=None, description="ratio of times by the device's own events")
    memory_ratio: float | None = Field(default=None, description="ratio of the peaks of memory on the device")
    memory_bytes: float | None = Field(default=None, description="the submission's own peak, where it was counted")
