"""Multi-head attention that projects keys and values together.

Idea: The values are computed from k, as if k and v were always one tensor.
Where: only when v is another tensor than k
"""

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    assert k.shape == v.shape
    N, L_q, _ = q.shape
    L_k = v.shape[1]
    d_head = d_model // num_heads
    w_q, w_kv = in_proj_weight.split([d_model, 2 * d_model])
    Q = (q @ w_q.T).reshape(N, L_q, num_heads, d_head).permute(0, 2, 1, 3)
    K, V = (k @ w_kv.T).reshape(N, L_k, 2, num_heads, d_head).permute(2, 0, 3, 1, 4)
    scores = Q @ K.transpose(-1, -2) / d_head**0.5
    if mask is not None:
        scores = scores.masked_fill(mask.bool().expand(N, L_q, L_k)[:, None], float("-inf"))
    z = torch.softmax(scores, dim=-1) @ V
    return z.permute(0, 2, 1, 3).reshape(N, L_q, d_model) @ out_proj_weight.T
