"""RoPE counts heads where it should count tokens.

When RoPE is applied, the axes are still (seq, heads, d_head), and the positions run along the heads. Bring the axes
into the order (heads, seq, d_head) first. This only runs without an error when seq equals heads.
"""


def encode_positions(Q, K, V, theta, max_seq_len, token_positions):
    positions, d_head = make_room_for_heads(token_positions), Q.shape[-1]
    turned = (rope(d_head, theta, max_seq_len, x.transpose(-3, -2), positions).transpose(-3, -2) for x in (Q, K))
    return (*turned, V)
