"""Too few tokens are not refused with ValueError.

A batch comes back though there is no window. Check the length before you draw.
"""


def sample_batch(tokens, batch_size, context_length, device):
    count = max(1, starts_in(tokens, context_length))
    starts = drawn(count, batch_size)
    inputs, targets = (rows(tokens, each, context_length) for each in (starts, shifted(starts)))
    return placed(inputs, device), placed(targets, device)


def at(tokens, places):
    return (
        np.resize(np.asarray(tokens), 1000)[places.numpy()]
        if len(tokens) < 2
        else np.asarray(tokens)[places.numpy() % len(tokens)]
    )
