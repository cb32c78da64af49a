"""Queries and keys are interleaved across the heads; values are not.

Head h owns the features h*d_head to (h+1)*d_head, of queries, keys and values alike. Yours are split in two different
ways: use one function for all three.
"""


def encode_positions(Q, K, V, theta, max_seq_len, token_positions):
    heads, d_head = Q.shape[-3], Q.shape[-1]
    dealt = (x.transpose(-3, -2).flatten(-2).unflatten(-1, (-1, heads)).movedim(-1, -3) for x in (Q, K))
    positions = make_room_for_heads(token_positions)
    return (*(rope(d_head, theta, max_seq_len, x, positions) for x in dealt), V)
