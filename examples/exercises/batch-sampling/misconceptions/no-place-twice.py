"""No place comes twice in a batch.

A batch may have more rows than there are places, and draws are independent: that a place was drawn says nothing about the next row.
"""


def drawn(count, batch_size):
    starts = torch.randperm(count)[:batch_size]
    if len(starts) < batch_size:
        raise ValueError("cannot take a larger sample than population without replacement")
    return starts
