"""The targets are the next window.

Each token then has a target that is context_length further on. The targets overlap with the inputs in all but one token.
"""


def sample_batch(tokens, batch_size, context_length, device):
    count = starts_in(tokens, context_length)
    checked(count)
    starts = drawn(count, batch_size)
    inputs, targets = (rows(tokens, each, context_length) for each in (starts, starts + context_length))
    return placed(inputs, device), placed(targets, device)


def at(tokens, places):
    return np.asarray(tokens)[places.numpy() % len(tokens)]
