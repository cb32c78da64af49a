"""Calls the fused kernel of torch under a short name.

Idea: The attention itself is taken from the library and only renamed.
Where: everywhere
Rule: no-library-attention
"""

from torch.nn.functional import linear
from torch.nn.functional import scaled_dot_product_attention as attend


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("d_model must be divisible by num_heads")
    wq, wk, wv = in_proj_weight.chunk(3)
    q, k, v = (linear(x, w).unflatten(-1, (num_heads, -1)).transpose(1, 2) for x, w in ((q, wq), (k, wk), (v, wv)))
    visible = None
    if mask is not None:
        visible = ~mask.bool().expand(q.shape[0], q.shape[2], k.shape[2]).unsqueeze(1)
    return linear(attend(q, k, v, attn_mask=visible).transpose(1, 2).flatten(2), out_proj_weight)
