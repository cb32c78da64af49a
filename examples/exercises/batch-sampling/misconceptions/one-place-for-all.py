"""All rows begin at one place.

A batch of equal rows tells no more than one of them. Draw a place for each row.
"""


def drawn(count, batch_size):
    return torch.randint(count, (1,)).expand(batch_size)
