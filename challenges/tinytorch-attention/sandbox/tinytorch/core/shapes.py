"""Which shapes fit together, and what to say when they do not. Nearly every bug in attention is a shape."""

from __future__ import annotations

import numpy as np

Shape = tuple[int, ...]


def require_broadcast(symbol: str, left: Shape, right: Shape) -> None:
    """Two axes fit, counted from the right, when they are equal or one of them is 1."""
    for axis in range(1, min(len(left), len(right)) + 1):
        if left[-axis] != right[-axis] and 1 not in (left[-axis], right[-axis]):
            raise ValueError(
                f"cannot broadcast {left} {symbol} {right}: axis -{axis} is {left[-axis]} on the left and {right[-axis]} on the "
                f"right. Axes must be equal, or one of them 1"
            )


def require_matmul(left: Shape, right: Shape) -> None:
    """The last two axes are matrices, (n, k) and (k, m); the axes before them are batches, and broadcast."""
    if len(left) < 2 or len(right) < 2:
        raise ValueError(f"cannot multiply {left} @ {right}: a matrix has at least two axes")
    if left[-1] != right[-2]:
        raise ValueError(
            f"cannot multiply matrices {left} @ {right}: the inner dimensions {left[-1]} and {right[-2]} differ. "
            "Does one of them need a transpose?"
        )
    require_broadcast("@", left[:-2], right[:-2])


def require_reshape(old: Shape, new: Shape) -> None:
    """A reshape keeps every number; one axis may be -1, which means: whatever is left."""
    size, known = int(np.prod(old)), int(np.prod([n for n in new if n != -1]))
    fits = size == known if -1 not in new else new.count(-1) == 1 and known > 0 and size % known == 0
    if not fits:
        raise ValueError(f"cannot reshape {old} with {size} elements into {new}")


def require_axes(shape: Shape, *axes: int) -> None:
    """Negative axes count from the end."""
    for axis in axes:
        if not isinstance(axis, (int, np.integer)):
            raise TypeError(f"an axis is a whole number, not {axis!r}. transpose swaps two axes: transpose(1, 2)")
        if not -len(shape) <= axis < len(shape):
            raise ValueError(f"there is no axis {axis} in {shape}")


def unbroadcast(gradient: np.ndarray, shape: Shape) -> np.ndarray:
    """Undo broadcasting: a number that was used in several places collects the gradients of all of them."""
    added = tuple(range(gradient.ndim - len(shape)))
    gradient = gradient.sum(axis=added)
    stretched = tuple(axis for axis, n in enumerate(shape) if n == 1)
    collected: np.ndarray = gradient.sum(axis=stretched, keepdims=True)
    return collected
