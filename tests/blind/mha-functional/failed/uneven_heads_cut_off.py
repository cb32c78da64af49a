"""Never looks whether the heads fit.

Idea: A d_model that num_heads does not divide is not refused: the features that are left over are cut off.
Where: only when num_heads does not divide d_model
Rule: divisibility-checked
"""

import math


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    d_head = d_model // num_heads
    used = num_heads * d_head
    wq, wk, wv = in_proj_weight.chunk(3)
    Q, K, V = ((x @ w.T)[..., :used].unflatten(-1, (num_heads, -1)).transpose(1, 2) for x, w in ((q, wq), (k, wk), (v, wv)))
    s = Q @ K.mT / math.sqrt(d_head) if d_head else Q @ K.mT
    if mask is not None:
        s = s.masked_fill(mask.bool().expand(q.shape[0], q.shape[1], k.shape[1]).unsqueeze(1), -math.inf)
    return (s.softmax(-1) @ V).transpose(1, 2).flatten(2) @ out_proj_weight[:, :used].T
