"""The second residual path starts at the block's input.

It adds x instead of x + attention, so what the attention found reaches the output through the feed-forward network alone.
"""


def transformer_block(x, weights, num_heads, max_seq_len, theta, token_positions=None, eps=1e-5):
    positions = resolve_positions(token_positions, x)
    h = add_attention(x, weights, num_heads, theta, positions, eps)
    return x + feed_forward(rms_norm(h, weights["ffn_norm.weight"], eps), weights)
