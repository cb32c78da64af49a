"""The heads are merged before attention.

RoPE sees separate heads, but then a single attention runs over all of d_model: one pattern for everything, with scores
summed over features of different heads. Keep the axis of the heads until attention is done.
"""


def encode_positions(Q, K, V, theta, max_seq_len, token_positions):
    d_head, positions = Q.shape[-1], make_room_for_heads(token_positions)
    turned = (rope(d_head, theta, max_seq_len, x, positions) for x in (Q, K))
    return tuple(x.transpose(-3, -2).flatten(-2).unsqueeze(-3) for x in (*turned, V))
