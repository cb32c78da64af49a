"""Wrong: places come from a random permutation, so none comes twice, and a batch with more rows than places gets too few rows."""
import numpy as np
import torch


def sample_batch(tokens, batch_size, context_length, device):
    tokens = torch.as_tensor(np.asarray(tokens).astype(np.int64))
    count = len(tokens) - context_length
    if count <= 0:
        raise ValueError("too few tokens")
    starts = torch.randperm(count)[:batch_size].unsqueeze(1)
    index = starts + torch.arange(context_length)
    return tokens[index].to(device), tokens[index + 1].to(device)
