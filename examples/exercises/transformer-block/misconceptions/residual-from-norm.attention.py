"""The normed x is added back instead of x.

What goes around the attention is what came into the block. If it is normed first, every block forgets the size of what it got.
"""


def add_attention(x, weights, num_heads, theta, positions, eps):
    z = rms_norm(x, weights["attn_norm.weight"], eps)
    return z + self_attention(z, weights, num_heads, theta, positions)
