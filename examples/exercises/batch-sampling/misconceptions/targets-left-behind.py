"""Only the inputs are moved to the device.

The loss compares the model's output with the targets, so these have to be there too.
"""


def sample_batch(tokens, batch_size, context_length, device):
    count = starts_in(tokens, context_length)
    checked(count)
    starts = drawn(count, batch_size)
    inputs, targets = (rows(tokens, each, context_length) for each in (starts, shifted(starts)))
    return placed(inputs, device), targets
