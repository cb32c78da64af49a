"""Wrong: only the first row's place is drawn, and the other rows follow it one after the other (modulo the number of places), so rows are not independent."""
import numpy as np
import torch


def sample_batch(tokens, batch_size, context_length, device):
    tokens = torch.as_tensor(np.asarray(tokens).astype(np.int64))
    count = len(tokens) - context_length
    if count < 1:
        raise ValueError("too few tokens")
    first = torch.randint(count, ())
    starts = (first + context_length * torch.arange(batch_size)) % count
    index = starts[:, None] + torch.arange(context_length)
    return tokens[index].to(device), tokens[index + 1].to(device)
