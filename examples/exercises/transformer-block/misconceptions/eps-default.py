"""eps is 1e-6 when it is left out.

The default is 1e-5. Only vectors of small numbers tell the two apart.
"""


def transformer_block(x, weights, num_heads, max_seq_len, theta, token_positions=None, eps=1e-6):
    positions = resolve_positions(token_positions, x)
    return add_feed_forward(add_attention(x, weights, num_heads, theta, positions, eps), weights, eps)
