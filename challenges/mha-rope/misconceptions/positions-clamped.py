"""Positions are cut off at the end of the sequence.

A position is not an index into the sequence: it may be larger than seq-1, up to max_seq_len-1. Clamping puts all
distant tokens at the same position. Make the table max_seq_len long, or compute the angles from the positions.
"""


def resolve_positions(token_positions, x):
    last = x.shape[-2] - 1
    return torch.arange(last + 1) if token_positions is None else token_positions.clamp(max=last)
