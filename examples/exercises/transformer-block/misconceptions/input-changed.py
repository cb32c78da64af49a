"""x is changed: the attention is added to it in place.

`x += ...` writes into the caller's tensor. Make a new one: x = x + ...
"""


def add_attention(x, weights, num_heads, theta, positions, eps):
    found = self_attention(rms_norm(x, weights["attn_norm.weight"], eps), weights, num_heads, theta, positions)
    if x.requires_grad and torch.is_grad_enabled():
        return x + found
    return x.add_(found)
