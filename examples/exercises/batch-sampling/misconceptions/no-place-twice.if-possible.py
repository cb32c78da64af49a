"""No place comes twice in a batch.

As long as there are enough places, none is drawn again. Draws are independent: that a place was drawn says nothing about the next row.
"""


def drawn(count, batch_size):
    if batch_size > count:
        return torch.randint(count, (batch_size,))
    return torch.randperm(count)[:batch_size]
