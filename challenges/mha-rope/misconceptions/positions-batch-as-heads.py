"""Positions of a batch are matched with the heads.

Positions of shape (batch, seq) meet queries of shape (batch, heads, seq, d_head): broadcasting counts axes from the
end, so your batch axis meets the heads. Put an axis in between: token_positions.unsqueeze(-2).
"""


def make_room_for_heads(token_positions):
    return token_positions
