"""No window begins at the first place.

Places are counted from 0.
"""


def drawn(count, batch_size):
    return torch.randint(min(1, count - 1), count, (batch_size,))
