"""No place comes twice in a batch.

All places come once before one comes again. Draws are independent: that a place was drawn says nothing about the next row.
"""


def drawn(count, batch_size):
    return torch.cat([torch.randperm(count) for _ in range(-(-batch_size // count))])[:batch_size]
