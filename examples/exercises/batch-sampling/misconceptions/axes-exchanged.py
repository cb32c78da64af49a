"""The axes are exchanged.

The first axis of the result is the batch, the second the places within a window.
"""


def sample_batch(tokens, batch_size, context_length, device):
    count = starts_in(tokens, context_length)
    checked(count)
    starts = drawn(count, batch_size)
    inputs, targets = (rows(tokens, each, context_length).transpose(0, -1) for each in (starts, shifted(starts)))
    return placed(inputs, device), placed(targets, device)
