"""RoPE is applied to the queries only.

Only when both sides are rotated does the dot product depend on the distance between their positions. Rotate the keys as
well.
"""


def encode_positions(Q, K, V, theta, max_seq_len, token_positions):
    return rope(Q.shape[-1], theta, max_seq_len, Q, make_room_for_heads(token_positions)), K, V
