"""One norm's weight is used in both places.

The first norm uses ffn_norm.weight too. Each norm has learned factors of its own.
"""


def add_attention(x, weights, num_heads, theta, positions, eps):
    z = rms_norm(x, weights["ffn_norm.weight"], eps)
    return x + self_attention(z, weights, num_heads, theta, positions)
