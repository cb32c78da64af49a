"""Positions wrap around at the end of the sequence.

Position seq is not the same as position 0: positions go up to max_seq_len-1. Use them as they are.
"""


def resolve_positions(token_positions, x):
    return torch.arange(x.shape[-2]) if token_positions is None else token_positions.remainder(x.shape[-2])
