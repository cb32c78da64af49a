"""Wrong: exactly context_length + 1 tokens raise ValueError, although they make one window (comparison off by one)."""
import numpy as np
import torch


def sample_batch(tokens, batch_size, context_length, device):
    if len(tokens) <= context_length + 1:
        raise ValueError("too few tokens")
    tokens = torch.as_tensor(np.asarray(tokens).astype(np.int64))
    starts = torch.randint(len(tokens) - context_length, (batch_size, 1))
    index = starts + torch.arange(context_length)
    return tokens[index].to(device), tokens[index + 1].to(device)
