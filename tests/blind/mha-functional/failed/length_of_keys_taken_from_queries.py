"""Multi-head attention that reads the sequence length once, from q.

Idea: The keys are taken to be as many as the queries.
Where: only when L_k differs from L_q
"""

import math

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    batch, seq_len, _ = q.shape
    d_k = d_model // num_heads
    wq, wk, wv = in_proj_weight.chunk(3)
    Q = (q @ wq.T).view(batch, seq_len, num_heads, d_k).transpose(1, 2)
    K = (k @ wk.T).view(batch, seq_len, num_heads, d_k).transpose(1, 2)
    V = (v @ wv.T).view(batch, seq_len, num_heads, d_k).transpose(1, 2)
    scores = Q @ K.mT / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(mask.bool().expand(batch, seq_len, seq_len).unsqueeze(1), -math.inf)
    out = torch.softmax(scores, -1) @ V
    return out.transpose(1, 2).reshape(batch, seq_len, d_model) @ out_proj_weight.T
