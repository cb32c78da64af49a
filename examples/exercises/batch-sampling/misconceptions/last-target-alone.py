"""The targets are one token for each row.

A row has a target for every token of its window, not only for the last one: that is what makes training on text efficient.
"""


def sample_batch(tokens, batch_size, context_length, device):
    count = starts_in(tokens, context_length)
    checked(count)
    starts = drawn(count, batch_size)
    inputs, targets = (rows(tokens, each, context_length) for each in (starts, shifted(starts)))
    return placed(inputs, device), placed(targets[:, -1], device)
