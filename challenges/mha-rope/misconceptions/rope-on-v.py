"""RoPE is applied to the values too.

Rotation is for queries and keys: their dot product then depends on the distance between two positions. Values are
summed up; rotated by absolute positions, they arrive in directions that W_O was never meant to read. Leave V as it is.
"""


def encode_positions(Q, K, V, theta, max_seq_len, token_positions):
    d_head = Q.shape[-1]
    positions = make_room_for_heads(token_positions)
    return tuple(rope(d_head, theta, max_seq_len, x, positions) for x in (Q, K, V))
