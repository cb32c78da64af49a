"""Inputs and targets are exchanged.

The model would learn to predict the token before. The inputs come first in the tuple.
"""


def sample_batch(tokens, batch_size, context_length, device):
    count = starts_in(tokens, context_length)
    checked(count)
    starts = drawn(count, batch_size)
    inputs, targets = (rows(tokens, each, context_length) for each in (shifted(starts), starts))
    return placed(inputs, device), placed(targets, device)
