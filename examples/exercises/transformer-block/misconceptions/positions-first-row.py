"""All sequences of a batch get the positions of the first.

Positions of shape (batch, seq) have a row for each sequence.
"""


def resolve_positions(token_positions, x):
    if token_positions is None:
        return torch.arange(x.shape[-2])
    return token_positions.reshape(-1, token_positions.shape[-1])[0]
