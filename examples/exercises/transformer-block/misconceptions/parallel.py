"""The feed-forward network gets x instead of x + attention.

Some models compute both branches side by side. Here the second one works on what the first has made.
"""


def transformer_block(x, weights, num_heads, max_seq_len, theta, token_positions=None, eps=1e-5):
    positions = resolve_positions(token_positions, x)
    branch = feed_forward(rms_norm(x, weights["ffn_norm.weight"], eps), weights)
    return add_attention(x, weights, num_heads, theta, positions, eps) + branch
