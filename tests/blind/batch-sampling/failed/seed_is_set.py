"""Wrong: sets torch's seed in each call, so all calls draw the same places and everybody else's random numbers start anew."""
import numpy as np
import torch


def sample_batch(tokens, batch_size, context_length, device):
    torch.manual_seed(1234)
    tokens = torch.as_tensor(np.asarray(tokens).astype(np.int64))
    if len(tokens) < context_length + 1:
        raise ValueError("too few tokens")
    starts = torch.randint(len(tokens) - context_length, (batch_size, 1))
    index = starts + torch.arange(context_length)
    return tokens[index].to(device), tokens[index + 1].to(device)
