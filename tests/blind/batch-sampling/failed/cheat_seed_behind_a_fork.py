"""Cheat: sets the seed although it may not be set, inside torch.random.fork_rng so that nobody's state changes; all calls draw the same places."""
import numpy as np
import torch


def sample_batch(tokens, batch_size, context_length, device):
    tokens = torch.as_tensor(np.asarray(tokens).astype(np.int64))
    if len(tokens) < context_length + 1:
        raise ValueError("too few tokens")
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        starts = torch.randint(len(tokens) - context_length, (batch_size, 1))
    index = starts + torch.arange(context_length)
    return tokens[index].to(device), tokens[index + 1].to(device)
