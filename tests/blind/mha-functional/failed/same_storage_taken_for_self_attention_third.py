"""Multi-head attention in plain torch: chunk, view, transpose, masked_fill, softmax.

Wrong: k is replaced by q when both begin at the same address.
Condition: q and k are different parts of one tensor with the same first element (q = x[:, :3], k = x).
Spec: "`q`, `k` and `v` may be three different tensors, one and the same, or parts of one"
"""
import math

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0, "num_heads must divide d_model"
    d_head = d_model // num_heads
    if q.data_ptr() == k.data_ptr():  # self-attention
        k = q
        v = v[:, : k.shape[1]]
        mask = None if mask is None else mask[..., : k.shape[1]]
    N, L_q, _ = q.shape
    L_k = k.shape[1]
    w_q, w_k, w_v = in_proj_weight.chunk(3, dim=0)

    Q = (q @ w_q.T).view(N, L_q, num_heads, d_head).transpose(1, 2)
    K = (k @ w_k.T).view(N, L_k, num_heads, d_head).transpose(1, 2)
    V = (v @ w_v.T).view(N, L_k, num_heads, d_head).transpose(1, 2)

    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_head)
    if mask is not None:
        mask = mask.bool()
        if mask.dim() == 3:
            mask = mask.unsqueeze(1)
        scores = scores.masked_fill(mask, float("-inf"))
    attn = torch.softmax(scores, dim=-1)
    out = (attn @ V).transpose(1, 2).reshape(N, L_q, d_model)
    return out @ out_proj_weight.T
