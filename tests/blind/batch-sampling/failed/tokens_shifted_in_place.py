"""Wrong: the tokens are shifted by one place in the caller's own array to read the targets, so tokens is changed."""
import numpy as np
import torch


def sample_batch(tokens, batch_size, context_length, device):
    if len(tokens) < context_length + 1:
        raise ValueError("too few tokens")
    grid = np.random.randint(0, len(tokens) - context_length, (batch_size, 1)) + np.arange(context_length)
    inputs = np.asarray(tokens)[grid].astype(np.int64)
    tokens[:-1] = tokens[1:].clone() if torch.is_tensor(tokens) else tokens[1:].copy()
    targets = np.asarray(tokens)[grid].astype(np.int64)
    return torch.from_numpy(inputs).to(device), torch.from_numpy(targets).to(device)
