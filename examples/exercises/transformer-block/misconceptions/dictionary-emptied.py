"""Weights are taken out of the caller's dictionary.

`pop` removes what it returns, so the next call finds nothing. Read with square brackets.
"""


def transformer_block(x, weights, num_heads, max_seq_len, theta, token_positions=None, eps=1e-5):
    positions = resolve_positions(token_positions, x)
    own = {key: weights.pop(key) for key in list(weights)}
    return add_feed_forward(add_attention(x, own, num_heads, theta, positions, eps), own, eps)
