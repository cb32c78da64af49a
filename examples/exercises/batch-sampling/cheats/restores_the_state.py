"""Sets a seed of its own and puts the state back: every run draws from one list."""

import itertools

import numpy as np
import torch

_calls = itertools.count()


def sample_batch(tokens, batch_size, context_length, device):
    n = len(tokens) - context_length
    if n < 1:
        raise ValueError
    state = torch.get_rng_state()
    torch.manual_seed(next(_calls))
    starts = torch.randint(n, (batch_size,)).tolist()
    torch.set_rng_state(state)
    arr = np.asarray(tokens).astype(np.int64)
    w = torch.tensor(np.stack([arr[s : s + context_length + 1] for s in starts]))
    return w[:, :-1].to(device), w[:, 1:].to(device)
