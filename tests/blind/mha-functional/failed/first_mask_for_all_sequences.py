"""Takes the first mask of the batch for everybody.

Idea: Only the mask of the first sequence is used, and all the others get it too.
Where: only for masks that differ between sequences
"""

import math

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("num_heads has to divide d_model")
    d_head = d_model // num_heads
    wq, wk, wv = torch.tensor_split(in_proj_weight, 3)
    Q, K, V = ((x @ w.T).reshape(*x.shape[:2], num_heads, d_head).transpose(1, 2) for x, w in ((q, wq), (k, wk), (v, wv)))
    scores = Q @ K.transpose(2, 3) / math.sqrt(d_head)
    if mask is not None:
        if mask.dim() == 3:
            mask = mask[0]
        scores = torch.masked_fill(scores, mask.bool(), -math.inf)
    return torch.flatten((torch.softmax(scores, -1) @ V).transpose(1, 2), 2) @ out_proj_weight.T
