"""Nothing goes around the attention.

Its result replaces x instead of being added to it, and so does its gradient.
"""


def add_attention(x, weights, num_heads, theta, positions, eps):
    return self_attention(rms_norm(x, weights["attn_norm.weight"], eps), weights, num_heads, theta, positions)
