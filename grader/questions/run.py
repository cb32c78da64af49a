"""What a student's own run tells the questions: taken from reports once, and kept: no question changes later."""

from collections.abc import Mapping, Sequence
from typing import Self

from pydantic import BaseModel

from grader.report import Report

# What a question may ask for, as a regular expression: whole numbers that a report can give.
FACT = r"^(ops_[0-9]{1,3}|time_percent|memory_percent)$"


class RunFacts(BaseModel, frozen=True, extra="ignore"):  # what a newer release has kept may be read by an older
    """`numbers` by name: `ops_16` is how many operations 16 heads took, `time_percent` is of a plain right answer's
    time. `misconceptions` are ids, those of the latest attempt first.
    """

    numbers: Mapping[str, int] = {}
    misconceptions: tuple[str, ...] = ()

    @classmethod
    def of(cls, report: Report, misconceptions: Sequence[str]) -> Self:
        """`misconceptions` are what earlier attempts were diagnosed with, the latest first."""
        numbers: dict[str, int] = {}
        if (seen := report.efficiency) is not None:
            numbers = {f"ops_{heads}": count for heads, count in seen.ops.items()}
            ratios = {"time_percent": seen.time_ratio, "memory_percent": seen.memory_ratio}
            numbers |= {name: round(100 * ratio) for name, ratio in ratios.items() if ratio is not None}
        return cls(numbers=numbers, misconceptions=tuple(dict.fromkeys(misconceptions)))


NO_FACTS = RunFacts()
