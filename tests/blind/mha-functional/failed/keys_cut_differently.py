"""Cuts the keys into heads in another order than queries and values.

Idea: In the keys alone a head takes every num_heads-th feature, so it meets the features of other heads.
Where: everywhere (with 1 < num_heads < d_model)
"""

from einops import einsum, rearrange


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    w = rearrange(in_proj_weight, "(c o) i -> c i o", c=3)
    Q = rearrange(q @ w[0], "n l (h e) -> n l h e", h=num_heads)
    K = rearrange(k @ w[1], "n l (e h) -> n l h e", h=num_heads)
    V = rearrange(v @ w[2], "n l (h e) -> n l h e", h=num_heads)
    s = einsum(Q, K, "n a h e, n b h e -> n a b h") / (d_model // num_heads) ** 0.5
    if mask is not None:
        s = s.masked_fill(mask.bool().unsqueeze(-1), float("-inf"))
    o = einsum(s.softmax(2), V, "n a b h, n b h e -> n a h e")
    return rearrange(o, "n a h e -> n a (h e)") @ out_proj_weight.T
