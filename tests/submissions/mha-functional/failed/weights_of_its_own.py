"""Fresh random layers: the given weights are not used at all."""

import torch
import torch.nn as nn
import torch.nn.functional as F


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    batch_size, seq_len, _ = q.shape
    d_head = d_model // num_heads
    q_linear = nn.Linear(d_model, d_model, bias=False)
    k_linear = nn.Linear(d_model, d_model, bias=False)
    v_linear = nn.Linear(d_model, d_model, bias=False)
    out_linear = nn.Linear(d_model, d_model, bias=False)
    for layer in (q_linear, k_linear, v_linear, out_linear):
        layer.to(q.dtype)
    Q = q_linear(q).view(batch_size, -1, num_heads, d_head).transpose(1, 2)
    K = k_linear(k).view(batch_size, -1, num_heads, d_head).transpose(1, 2)
    V = v_linear(v).view(batch_size, -1, num_heads, d_head).transpose(1, 2)
    scores = Q @ K.transpose(-2, -1) / d_head**0.5
    if mask is not None:
        if mask.dim() == 3:
            mask = mask.unsqueeze(1)
        scores = scores.masked_fill(mask.bool(), float("-inf"))
    output = F.softmax(scores, dim=-1) @ V
    output = output.transpose(1, 2).contiguous().view(batch_size, seq_len, d_model)
    return out_linear(output)
