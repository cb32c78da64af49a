"""Multi-head attention for decoding: with one query the mask is skipped.

Idea: A single query is taken to be the newest token, which may see everything, so its mask is ignored.
Where: only when L_q is 1 and a mask hides something
"""

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("num_heads must divide d_model")
    n, lq, _ = q.shape
    lk = k.shape[1]
    weights = in_proj_weight.split(d_model)
    Q, K, V = (torch.matmul(x, w.T).reshape(n, x.shape[1], num_heads, -1).transpose(1, 2) for x, w in zip((q, k, v), weights))
    scores = torch.matmul(Q, K.transpose(2, 3)) / (d_model // num_heads) ** 0.5
    if mask is not None and lq > 1:
        scores = scores.masked_fill(mask.bool().expand(n, lq, lk)[:, None, :, :], float("-inf"))
    probs = scores.softmax(dim=-1)
    return torch.matmul(probs, V).transpose(1, 2).reshape(n, lq, d_model).matmul(out_proj_weight.T)
