"""The last target of a row is its first token.

The inputs are rolled by one, so the end takes what was at the beginning. The last target is the token after the window: cut out one token more, and take both from that.
"""


def sample_batch(tokens, batch_size, context_length, device):
    count = starts_in(tokens, context_length)
    checked(count)
    inputs = rows(tokens, drawn(count, batch_size), context_length)
    return placed(inputs, device), placed(shifted(inputs), device)


def shifted(inputs):
    return inputs.roll(-1, dims=-1)
