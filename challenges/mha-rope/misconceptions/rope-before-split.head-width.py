"""RoPE is applied before the heads are split.

It expects d_head features but gets all of d_model at once, so the sizes do not match. Split first, then rotate each
head over its own d_head features.
"""


def encode_positions(Q, K, V, theta, max_seq_len, token_positions):
    heads, d_head = Q.shape[-3], Q.shape[-1]
    merged = (x.transpose(-3, -2).flatten(-2) for x in (Q, K))
    whole = (rope(d_head, theta, max_seq_len, x, token_positions) for x in merged)
    return (*(x.unflatten(-1, (heads, -1)).transpose(-3, -2) for x in whole), V)
