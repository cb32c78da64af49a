"""Time and memory of a submission, as its report has them. Knows no torch."""

from pydantic import Field

from grader.report_part import Part

# A student is told of an exponent that is this much above a plain right answer's, and surely more than linear.
STEEPER, LINEAR, MORE_THAN_LINEAR = 0.5, 1.0, 1.3


class Scaling(Part):
    """How the submission and a plain right answer grow between two lengths of the sequence: slopes of the logarithms.
    Doubling the sequence multiplies by 2 to the exponent. None: too little to measure, or nobody counted it.
    """

    lengths: tuple[int, int]
    time_exponent: float | None = Field(default=None, description="of processor time, as the kernel counts it")
    memory_exponent: float | None = Field(default=None, description="of peak memory above what any call holds")
    plain_time_exponent: float | None = None
    plain_memory_exponent: float | None = None

    @property
    def messages(self) -> tuple[str, ...]:
        """What is worth a sentence to the student: where the code grows much faster than it need."""
        growing = (
            ("{:.1f} times as slow", self.time_exponent, self.plain_time_exponent),
            ("hold {:.1f} times as much memory", self.memory_exponent, self.plain_memory_exponent),
        )
        return tuple(
            self._message(what, exponent, plain)
            for what, exponent, plain in growing
            if exponent is not None and _is_telling(exponent, plain)
        )

    def _message(self, what: str, exponent: float, plain: float | None) -> str:
        beside = "too little to measure" if plain is None else f"{2**plain:.1f} times"
        shorter, longer = self.lengths
        return (
            f"Doubling the sequence makes your code {what.format(2**exponent)} (a plain correct answer: {beside}), "
            f"measured from {shorter} to {longer} tokens."
        )


def _is_telling(exponent: float, plain: float | None) -> bool:
    return exponent >= max((LINEAR if plain is None else plain) + STEEPER, MORE_THAN_LINEAR)


ROUGH = "Time and memory are rough figures: code equal to the plain correct answer gets 0.7 to 1.6."


class Efficiency(Part):
    """Time and memory as ratios to a plain right answer in an equal sandbox; `ops`: operations by number of heads."""

    device: str
    time_ratio: float | None = None
    memory_ratio: float | None = Field(default=None, description="of all that was held; if rough, the paper included")
    is_rough: bool = Field(
        default=False, description="by what the plain answer took lately, not in turns: equal code gets 0.7 to 1.6"
    )
    ops: dict[str, int] = Field(default_factory=dict)
    scaling: Scaling | None = Field(default=None, description="None where the challenge's workload takes no length")

    @property
    def messages(self) -> tuple[str, ...]:
        """What is worth a sentence to the student."""
        rough = (ROUGH,) if self.is_rough else ()
        return (*rough, *(self.scaling.messages if self.scaling else ()))
