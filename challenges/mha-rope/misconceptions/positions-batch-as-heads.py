"""The batch axis of the positions is lined up with the heads.

Positions of shape (batch, seq) meet queries of shape (batch, heads, seq, d_head): broadcasting counts axes from the
end, so your batch axis lines up with the heads. Add an axis in between: token_positions.unsqueeze(-2).
"""


def make_room_for_heads(token_positions):
    return token_positions
