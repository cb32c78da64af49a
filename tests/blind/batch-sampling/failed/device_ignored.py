"""The result stays on the CPU: device is ignored."""
import numpy as np
import torch


def sample_batch(tokens, batch_size, context_length, device):
    places = len(tokens) - context_length
    if places < 1:
        raise ValueError("not enough tokens for one window")
    if isinstance(tokens, torch.Tensor):
        tokens = tokens.numpy()
    starts = np.random.randint(0, places, size=batch_size)
    inputs = np.stack([tokens[s : s + context_length] for s in starts]).astype(np.int64)
    targets = np.stack([tokens[s + 1 : s + 1 + context_length] for s in starts]).astype(np.int64)
    return torch.from_numpy(inputs), torch.from_numpy(targets)
