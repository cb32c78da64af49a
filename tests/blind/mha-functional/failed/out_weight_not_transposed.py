"""The last projection is x @ W.

Idea: The output weight is stored (out, in), and is used without transposing.
Where: everywhere
Id: weights-not-transposed
"""

import math

from einops import einsum, rearrange, repeat


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("num_heads does not divide d_model")
    W = rearrange(in_proj_weight, "(c h e) i -> c h e i", c=3, h=num_heads)
    Q = einsum(q, W[0], "n l i, h e i -> n h l e")
    K = einsum(k, W[1], "n l i, h e i -> n h l e")
    V = einsum(v, W[2], "n l i, h e i -> n h l e")
    S = einsum(Q, K, "n h a e, n h b e -> n h a b") / math.sqrt(d_model // num_heads)
    if mask is not None:
        full = mask.bool().expand(S.shape[0], S.shape[2], S.shape[3])
        S = S.masked_fill(repeat(full, "n a b -> n h a b", h=num_heads), -math.inf)
    out = rearrange(einsum(S.softmax(-1), V, "n h a b, n h b e -> n h a e"), "n h a e -> n a (h e)")
    return einsum(out, out_proj_weight, "n a i, i o -> n a o")
