"""What is added back is normed, on both residual paths.

`x = norm(x)` overwrites what you need again three words later. Give the normed tensor a name of its own.
"""


def add_attention(x, weights, num_heads, theta, positions, eps):
    x = rms_norm(x, weights["attn_norm.weight"], eps)
    return x + self_attention(x, weights, num_heads, theta, positions)


def add_feed_forward(h, weights, eps):
    h = rms_norm(h, weights["ffn_norm.weight"], eps)
    return h + feed_forward(h, weights)
