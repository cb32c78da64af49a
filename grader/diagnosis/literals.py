"""Values as Python that makes them, for examples that students run."""

import math

import torch
from torch import Tensor

WIDEST = 100  # characters of a line


def argument(value: object) -> str:
    """Writes Python that makes this value."""
    if isinstance(value, float) and not math.isfinite(value):
        return f'float("{value}")'
    if not isinstance(value, Tensor):
        return repr(value)
    dtype = f", dtype={value.dtype}" if value.dtype is torch.float64 else ""
    numbers = literal(value)
    if "\n" not in numbers:
        return f"torch.tensor({numbers}{dtype})"
    indented = numbers.replace("\n", "\n    ")
    return f"torch.tensor(\n    {indented}{dtype}\n)"


def literal(tensor: Tensor, digits: int = 6) -> str:
    """A tensor's numbers as nested lists, a row on a line where one line is not enough."""

    def written(part: Tensor, depth: int) -> str:
        if part.dim() == 0:
            number = part.item()
            return repr(round(number, digits) + 0.0) if isinstance(number, float) else repr(number)
        inner = [written(row, depth + 1) for row in part]
        line = f"[{', '.join(inner)}]"
        if part.dim() == 1 or len(line) + depth <= WIDEST // 2:
            return line
        return "[" + f",\n{' ' * (depth + 1)}".join(inner) + "]"

    return written(tensor, 0)
