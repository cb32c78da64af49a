"""Wrong: device is ignored, and both tensors stay on the CPU."""
import numpy as np
import torch


def sample_batch(tokens, batch_size, context_length, device):
    tokens = np.asarray(tokens)
    if tokens.size < context_length + 1:
        raise ValueError("too few tokens")
    starts = np.random.randint(0, tokens.size - context_length, batch_size)
    grid = starts[:, None] + np.arange(context_length)
    inputs = torch.from_numpy(tokens[grid].astype(np.int64))
    targets = torch.from_numpy(tokens[grid + 1].astype(np.int64))
    return inputs, targets
