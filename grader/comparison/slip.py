"""A known slip in computing a shape."""

from dataclasses import dataclass

Shape = tuple[int, ...]


@dataclass(frozen=True)
class Slip:
    """A known slip in words, and the shape that it gives."""

    shape: Shape
    sentence: str
