"""Batches for training a language model, drawn from one long sequence of tokens."""

import numpy as np
import torch


def sample_batch(
    tokens: np.ndarray | torch.Tensor, batch_size: int, context_length: int, device: str
) -> tuple[torch.Tensor, torch.Tensor]:
    """Inputs and targets, each (batch_size, context_length), of dtype int64."""
    raise NotImplementedError
