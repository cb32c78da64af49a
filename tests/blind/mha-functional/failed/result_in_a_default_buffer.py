"""Multi-head attention that writes the result into a tensor of zeros made beforehand.

Idea: The tensor for the result has torch's default dtype and not the dtype of q.
Where: only when the inputs are float64
"""

import torch
import torch.nn.functional as F


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    N, L_q, L_k = q.shape[0], q.shape[1], k.shape[1]
    result = torch.zeros(N, L_q, d_model)
    qkv = [F.linear(x, w) for x, w in zip((q, k, v), in_proj_weight.chunk(3))]
    Q, K, V = [x.reshape(N, -1, num_heads, d_model // num_heads).transpose(1, 2) for x in qkv]
    scores = Q @ K.transpose(2, 3) / (d_model // num_heads) ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask.bool().expand(N, L_q, L_k).unsqueeze(1), -torch.inf)
    merged = (scores.softmax(-1) @ V).transpose(1, 2).flatten(2)
    result[:] = F.linear(merged, out_proj_weight)
    return result
