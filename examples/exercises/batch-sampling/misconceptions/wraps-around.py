"""Windows go on at the beginning when the tokens end.

The end of the last text and the beginning of the first do not follow each other. Draw places from which a whole window is there.
"""


def sample_batch(tokens, batch_size, context_length, device):
    checked(starts_in(tokens, context_length))
    starts = drawn(len(tokens), batch_size)
    inputs, targets = (rows(tokens, each, context_length) for each in (starts, shifted(starts)))
    return placed(inputs, device), placed(targets, device)


def at(tokens, places):
    return np.asarray(tokens)[places.numpy() % len(tokens)]
