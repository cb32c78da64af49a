"""Heads attend to heads.

Without the transpose the axes are (seq, heads, d_head), and the scores compare the heads of one token with each other:
no token ever sees another. Attention runs over the second axis from the end; move the sequence there.
"""


def split_heads(x, num_heads):
    return x.unflatten(-1, (num_heads, -1))


def merge_heads(x):
    return x.flatten(-2)


def encode_positions(Q, K, V, theta, max_seq_len, token_positions):
    positions = token_positions.unsqueeze(-1)
    return tuple(rope(Q.shape[-1], theta, max_seq_len, x, positions) for x in (Q, K)) + (V,)
