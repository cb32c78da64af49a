"""token_positions of zeros are taken for positions that were left out.

Zero is a position like any other. Ask whether token_positions is None, not whether there is a number in it.
"""


def resolve_positions(token_positions, x):
    if token_positions is None or not token_positions.any():
        return torch.arange(x.shape[-2])
    return token_positions
