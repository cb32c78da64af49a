"""No gradient flows along the residual path.

The path around the attention is cut, so x learns only through the attention. That path is what makes deep models trainable.
"""


def add_attention(x, weights, num_heads, theta, positions, eps):
    z = rms_norm(x, weights["attn_norm.weight"], eps)
    return x.detach() + self_attention(z, weights, num_heads, theta, positions)
