"""The positions are sorted.

Each position belongs to the token at the same index. When you sort the positions, tokens that come in a different order
get each other's angles. Use token_positions as they are.
"""


def resolve_positions(token_positions, x):
    return torch.arange(x.shape[-2]) if token_positions is None else token_positions.sort(dim=-1).values
