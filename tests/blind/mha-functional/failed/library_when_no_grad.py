"""Takes the fused kernel of torch when no gradient is recorded.

Idea: Without gradients the library's attention is called in place of the hand-written one.
Where: only under no_grad or inference_mode
Rule: no-library-attention
"""

import math

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    wq, wk, wv = in_proj_weight.chunk(3)
    Q, K, V = ((x @ w.T).unflatten(-1, (num_heads, -1)).transpose(1, 2) for x, w in ((q, wq), (k, wk), (v, wv)))
    hidden = None if mask is None else mask.bool().expand(q.shape[0], q.shape[1], k.shape[1])[:, None]
    if torch.is_grad_enabled():
        s = Q @ K.mT / math.sqrt(Q.shape[-1])
        s = s if hidden is None else s.masked_fill(hidden, -math.inf)
        out = s.softmax(-1) @ V
    else:
        fast = torch.ops.aten.scaled_dot_product_attention
        out = fast(Q, K, V, None if hidden is None else ~hidden)
    return out.transpose(1, 2).flatten(2) @ out_proj_weight.T
