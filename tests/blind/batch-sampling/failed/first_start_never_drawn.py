"""Wrong: places are drawn from 1 on wherever there is more than one, so the window at 0 never comes."""
import random

import numpy as np
import torch


def sample_batch(tokens, batch_size, context_length, device):
    last = len(tokens) - context_length - 1
    if last < 0:
        raise ValueError("too few tokens")
    tokens = np.asarray(tokens).astype(np.int64)
    starts = [random.randint(min(1, last), last) for _ in range(batch_size)]
    rows = torch.from_numpy(np.stack([tokens[s : s + context_length + 1] for s in starts]))
    return rows[:, :-1].to(device), rows[:, 1:].to(device)
