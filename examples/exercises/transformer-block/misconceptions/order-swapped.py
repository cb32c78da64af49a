"""The feed-forward network comes before the attention.

Tokens exchange what they know first, and each one thinks it over afterwards.
"""


def transformer_block(x, weights, num_heads, max_seq_len, theta, token_positions=None, eps=1e-5):
    positions = resolve_positions(token_positions, x)
    return add_attention(add_feed_forward(x, weights, eps), weights, num_heads, theta, positions, eps)
