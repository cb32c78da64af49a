"""Too few tokens raise no ValueError."""
import numpy as np
import torch


def sample_batch(tokens, batch_size, context_length, device):
    places = len(tokens) - context_length
    places = max(places, 1)
    if isinstance(tokens, torch.Tensor):
        tokens = tokens.numpy()
    starts = np.random.randint(0, places, size=batch_size)
    inputs = np.stack([tokens[s : s + context_length] for s in starts]).astype(np.int64)
    targets = np.stack([tokens[s + 1 : s + 1 + context_length] for s in starts]).astype(np.int64)
    return torch.from_numpy(inputs).to(device), torch.from_numpy(targets).to(device)
