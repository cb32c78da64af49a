"""Attention in einops style with the scale of the whole model.

Idea: The scores are divided by the square root of d_model instead of d_head.
Where: everywhere (with more than one head)
Id: scale-by-d-model
"""

from einops import einsum, rearrange


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("d_model % num_heads != 0")
    wq, wk, wv = rearrange(in_proj_weight, "(c o) i -> c o i", c=3)
    Q = rearrange(einsum(q, wq, "n l i, o i -> n l o"), "n l (h e) -> n h l e", h=num_heads)
    K = rearrange(einsum(k, wk, "n l i, o i -> n l o"), "n l (h e) -> n h l e", h=num_heads)
    V = rearrange(einsum(v, wv, "n l i, o i -> n l o"), "n l (h e) -> n h l e", h=num_heads)
    s = einsum(Q, K, "n h a e, n h b e -> n h a b") / q.shape[-1] ** 0.5
    if mask is not None:
        s = s.masked_fill(rearrange(mask.bool().expand(q.shape[0], q.shape[1], k.shape[1]), "n a b -> n 1 a b"), float("-inf"))
    o = einsum(s.softmax(-1), V, "n h a b, n h b e -> n h a e")
    return einsum(rearrange(o, "n h a e -> n a (h e)"), out_proj_weight, "n a i, o i -> n a o")
