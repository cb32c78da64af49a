"""The keys are the rotated queries, rotated again.

Your code passes the queries, which are already rotated, where it should rotate the keys, so k_proj_weight has no
effect. Rotate the projected keys, once.
"""


def encode_positions(Q, K, V, theta, max_seq_len, token_positions):
    d_head, positions = Q.shape[-1], make_room_for_heads(token_positions)
    turned = rope(d_head, theta, max_seq_len, Q, positions)
    return turned, rope(d_head, theta, max_seq_len, turned, positions), V
