"""x is added once more at the end.

The sum after the attention holds x already; the second residual path brings all of it along.
"""


def transformer_block(x, weights, num_heads, max_seq_len, theta, token_positions=None, eps=1e-5):
    positions = resolve_positions(token_positions, x)
    h = add_attention(x, weights, num_heads, theta, positions, eps)
    return x + add_feed_forward(h, weights, eps)
