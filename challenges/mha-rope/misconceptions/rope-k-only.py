"""RoPE is applied to the keys only.

Only when both sides are rotated does the dot product depend on the distance between their positions. Rotate the queries
as well.
"""


def encode_positions(Q, K, V, theta, max_seq_len, token_positions):
    return Q, rope(K.shape[-1], theta, max_seq_len, K, make_room_for_heads(token_positions)), V
