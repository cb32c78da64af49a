"""Wrong: windows begin only at multiples of context_length, not at every place."""
import numpy as np
import torch


def sample_batch(tokens, batch_size, context_length, device):
    tokens = torch.as_tensor(np.asarray(tokens).astype(np.int64))
    if len(tokens) <= context_length:
        raise ValueError("too few tokens")
    blocks = (len(tokens) - 1) // context_length
    starts = torch.randint(blocks, (batch_size, 1)) * context_length
    index = starts + torch.arange(context_length)
    return tokens[index].to(device), tokens[index + 1].to(device)
