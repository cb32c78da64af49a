# Says: The mask is turned round: True is where a query must not look.
# Line: none
# Names: mask
# Truth: mask-inverted
import math

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    d_head = d_model // num_heads
    W_q, W_k, W_v = in_proj_weight.chunk(3, dim=0)
    Q, K, V = q @ W_q.T, k @ W_k.T, v @ W_v.T

    def split(t):
        return t.reshape(t.shape[0], t.shape[1], num_heads, d_head).transpose(1, 2)

    Q, K, V = split(Q), split(K), split(V)
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_head)
    if mask is not None:
        if mask.dim() == 3:
            mask = mask.unsqueeze(1)
        scores = scores.masked_fill(~mask.bool(), float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    out = (weights @ V).transpose(1, 2).reshape(q.shape[0], q.shape[1], d_model)
    return out @ out_proj_weight.T
