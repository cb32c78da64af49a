"""Wrong: uint16 tokens are reinterpreted as int16, so ids from 32,768 on become negative."""
import numpy as np
import torch


def sample_batch(tokens, batch_size, context_length, device):
    if isinstance(tokens, np.ndarray):
        if tokens.dtype == np.uint16:
            tokens = tokens.view(np.int16)
        tokens = torch.from_numpy(tokens.copy()).long()
    if len(tokens) <= context_length:
        raise ValueError("too few tokens")
    windows = tokens.unfold(0, context_length + 1, 1)
    rows = windows[torch.randint(len(windows), (batch_size,))]
    return rows[:, :-1].to(device), rows[:, 1:].to(device)
