"""A right sampler: all windows as a view of the tokens by unfold, of which rows are chosen."""
import random

import numpy as np
import torch


def sample_batch(tokens, batch_size, context_length, device):
    if isinstance(tokens, np.ndarray):
        tokens = torch.from_numpy(tokens.astype(np.int64))
    if tokens.numel() < context_length + 1:
        raise ValueError("too few tokens")
    every = tokens.unfold(0, context_length + 1, 1)
    chosen = every[random.choices(range(len(every)), k=batch_size)]
    inputs, targets = chosen[:, :context_length].clone(), chosen[:, 1:].clone()
    return inputs.to(device=device), targets.to(device=device)
