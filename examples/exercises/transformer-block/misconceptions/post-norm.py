"""The norms stand behind the residual sums, as in the first Transformer.

norm(x + attention(x)) is post-norm. Here the norm is on the way into each branch, and nothing stands on the residual path from the first block to the last.
"""


def add_attention(x, weights, num_heads, theta, positions, eps):
    return rms_norm(x + self_attention(x, weights, num_heads, theta, positions), weights["attn_norm.weight"], eps)


def add_feed_forward(h, weights, eps):
    return rms_norm(h + feed_forward(h, weights), weights["ffn_norm.weight"], eps)
