"""Multi-head attention for long sequences: the queries go through in blocks, all heads of a block at once."""

import torch

BLOCK = 64


def _attend(Q, K, V, hidden):
    scores = Q @ K.transpose(-2, -1)
    if hidden is not None:
        scores = scores.masked_fill(hidden, float("-inf"))
    return torch.softmax(scores, dim=-1) @ V


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("d_model is not a multiple of num_heads")
    N, L_q, _ = q.shape
    L_k = k.shape[1]
    d_head = d_model // num_heads
    wq, wk, wv = in_proj_weight.chunk(3)
    Q = (q @ wq.T).reshape(N, L_q, num_heads, d_head).transpose(1, 2) / d_head**0.5
    K = (k @ wk.T).reshape(N, L_k, num_heads, d_head).transpose(1, 2)
    V = (v @ wv.T).reshape(N, L_k, num_heads, d_head).transpose(1, 2)

    hidden = None if mask is None else mask.bool().expand(N, L_q, L_k).unsqueeze(1)
    parts = []
    for start in range(0, L_q, BLOCK):
        rows = slice(start, start + BLOCK)
        parts.append(_attend(Q[:, :, rows], K, V, None if hidden is None else hidden[:, :, rows]))
    out = torch.cat(parts, dim=2)
    return out.transpose(1, 2).reshape(N, L_q, d_model) @ out_proj_weight.T
