"""Refuses heads that do not fit with a TypeError.

Idea: The check is right but raises TypeError, where AssertionError or ValueError is asked for.
Where: only when num_heads does not divide d_model
Rule: divisibility-checked
"""

from einops import rearrange


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise TypeError("num_heads does not divide d_model")
    wq, wk, wv = in_proj_weight.chunk(3)
    Q, K, V = (rearrange(x @ w.T, "n l (h e) -> h n l e", h=num_heads) for x, w in ((q, wq), (k, wk), (v, wv)))
    s = Q @ K.mT / Q.shape[-1] ** 0.5
    if mask is not None:
        s = s.masked_fill(mask.bool(), float("-inf"))
    return rearrange(s.softmax(-1) @ V, "h n l e -> n l (h e)") @ out_proj_weight.T
