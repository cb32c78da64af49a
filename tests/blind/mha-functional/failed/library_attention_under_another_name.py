"""Multi-head attention with the attention itself taken from torch under a name of its own.

Idea: The attention is not written but borrowed from the library.
Where: everywhere
Rule: no-library-attention
"""

from torch.nn import functional as ops

attend = getattr(ops, "scaled_dot_" + "product_attention")


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    n, lq, lk = q.shape[0], q.shape[1], k.shape[1]
    Q, K, V = (
        ops.linear(x, w).reshape(n, -1, num_heads, d_model // num_heads).transpose(1, 2)
        for x, w in zip((q, k, v), in_proj_weight.split(d_model))
    )
    visible = None if mask is None else mask.expand(n, lq, lk).unsqueeze(1) == 0
    out = attend(Q, K, V, attn_mask=visible)
    return ops.linear(out.transpose(1, 2).reshape(n, lq, d_model), out_proj_weight)
