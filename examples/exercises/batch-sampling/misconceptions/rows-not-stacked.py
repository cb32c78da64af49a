"""The rows are in a list.

A model takes one tensor with an axis for the batch. Stack the rows.
"""


def sample_batch(tokens, batch_size, context_length, device):
    count = starts_in(tokens, context_length)
    checked(count)
    starts = drawn(count, batch_size)
    inputs, targets = (rows(tokens, each, context_length) for each in (starts, shifted(starts)))
    return list(placed(inputs, device)), list(placed(targets, device))
