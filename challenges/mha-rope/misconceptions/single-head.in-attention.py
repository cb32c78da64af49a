"""The heads are put together before attention.

RoPE sees the heads apart, and then one attention runs over all of d_model: one pattern for everything, and scores that
add up what belongs to different heads. Keep the axis of the heads until attention is done.
"""


def encode_positions(Q, K, V, theta, max_seq_len, token_positions):
    d_head, positions = Q.shape[-1], make_room_for_heads(token_positions)
    turned = (rope(d_head, theta, max_seq_len, x, positions) for x in (Q, K))
    return tuple(x.transpose(-3, -2).flatten(-2).unsqueeze(-3) for x in (*turned, V))
