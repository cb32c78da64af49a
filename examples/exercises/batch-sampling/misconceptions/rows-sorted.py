"""The rows are sorted by their places.

Then a row tells where the next ones are. Leave them as they were drawn.
"""


def drawn(count, batch_size):
    return torch.randint(count, (batch_size,)).sort().values
