"""Places that are too late are moved to the last one.

It then comes far more often than others. Draw among the places that are possible in the first place.
"""


def sample_batch(tokens, batch_size, context_length, device):
    count = starts_in(tokens, context_length)
    checked(count)
    starts = drawn(len(tokens), batch_size).clamp(max=count - 1)
    inputs, targets = (rows(tokens, each, context_length) for each in (starts, shifted(starts)))
    return placed(inputs, device), placed(targets, device)
