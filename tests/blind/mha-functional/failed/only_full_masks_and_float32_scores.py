"""Multi-head attention that views the mask as (N, 1, L_q, L_k), and casts its result to float.

Idea: A mask that has to be broadcast is not accepted, and besides the result is always float32.
Where: only when the mask is not (N, L_q, L_k); and only when the inputs are float64
"""

import torch
import torch.nn.functional as F


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("heads do not fit")
    n, lq, lk = q.shape[0], q.shape[1], k.shape[1]
    Q, K, V = [F.linear(x, w) for x, w in zip((q, k, v), in_proj_weight.chunk(3))]
    Q = Q.reshape(n, lq, num_heads, -1).transpose(1, 2)
    K = K.reshape(n, lk, num_heads, -1).transpose(1, 2)
    V = V.reshape(n, lk, num_heads, -1).transpose(1, 2)
    scores = Q @ K.mT / Q.size(-1) ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask.reshape(n, 1, lq, lk).bool(), -torch.inf)
    out = (scores.softmax(-1) @ V).transpose(1, 2).flatten(2)
    return F.linear(out, out_proj_weight).float()
