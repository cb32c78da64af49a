"""Windows begin only at multiples of context_length.

Cut up like that, a token is always at the same place of its window, and most windows are never seen. They may begin anywhere.
"""


def sample_batch(tokens, batch_size, context_length, device):
    count = starts_in(tokens, context_length)
    checked(count)
    starts = drawn(-(-count // context_length), batch_size) * context_length
    inputs, targets = (rows(tokens, each, context_length) for each in (starts, shifted(starts)))
    return placed(inputs, device), placed(targets, device)
