"""Multi-head attention that inserts the axis for the heads with unsqueeze_.

Idea: The underscore changes the caller's mask, which has four axes afterwards.
Where: only when the mask has three axes: the caller's mask has four after the call
Id: input-mutated
"""

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0, "d_model must be divisible by num_heads"
    N, Lq, _ = q.size()
    Lk = k.size(1)
    wq, wk, wv = in_proj_weight.chunk(3, 0)
    Q = torch.matmul(q, wq.T).reshape(N, Lq, num_heads, -1).permute(0, 2, 1, 3)
    K = torch.matmul(k, wk.T).reshape(N, Lk, num_heads, -1).permute(0, 2, 1, 3)
    V = torch.matmul(v, wv.T).reshape(N, Lk, num_heads, -1).permute(0, 2, 1, 3)
    scores = torch.matmul(Q, K.permute(0, 1, 3, 2)) / (d_model // num_heads) ** 0.5
    if mask is not None:
        if mask.dim() == 3:
            mask.unsqueeze_(1)
        scores = scores.masked_fill(mask.bool(), float("-inf"))
    out = torch.matmul(torch.softmax(scores, dim=-1), V)
    return torch.matmul(out.permute(0, 2, 1, 3).flatten(2), out_proj_weight.T)
