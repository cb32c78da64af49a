"""The weights of the two norms are swapped.

The norm before the attention uses ffn_norm.weight, and the other attn_norm.weight.
"""


def add_attention(x, weights, num_heads, theta, positions, eps):
    z = rms_norm(x, weights["ffn_norm.weight"], eps)
    return x + self_attention(z, weights, num_heads, theta, positions)


def add_feed_forward(h, weights, eps):
    return h + feed_forward(rms_norm(h, weights["attn_norm.weight"], eps), weights)
