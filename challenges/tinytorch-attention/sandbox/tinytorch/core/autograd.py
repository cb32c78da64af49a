"""How a gradient finds its way back.

Every tensor that an operation makes remembers its `sources`: the tensors it was made from, each with a function that
turns the gradient of the result into the gradient of that source. Backward is the chain rule, from the end to the start.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from tinytorch.core.tensor import Tensor

Backward = Callable[[np.ndarray], np.ndarray]


def backpropagate(output: Tensor, gradient: np.ndarray) -> None:
    """Add the gradient to `grad` of every tensor that the output was made from."""
    arriving = {id(output): gradient}
    for tensor in reversed(_sources_first(output)):
        arrived = arriving.pop(id(tensor)).astype(tensor.data.dtype, copy=False)
        tensor.grad = arrived.copy() if tensor.grad is None else tensor.grad + arrived
        for source, backward in tensor.sources:
            share = backward(arrived)
            key = id(source)
            arriving[key] = arriving[key] + share if key in arriving else share


def _sources_first(output: Tensor) -> list[Tensor]:
    """All tensors behind the output, each after its own sources; in reverse, each after everything made from it."""
    order: list[Tensor] = []
    seen: set[int] = set()
    waiting = [(output, False)]
    while waiting:
        tensor, sources_done = waiting.pop()
        if sources_done:
            order.append(tensor)
        elif id(tensor) not in seen:
            seen.add(id(tensor))
            waiting.append((tensor, True))
            waiting.extend((source, False) for source, _ in tensor.sources)
    return order


def enable_autograd() -> None:
    """Nothing to do: gradients are always recorded here. For code that switches them on first."""
