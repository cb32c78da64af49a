# Says: `nn.Linear(d_model, d_model)` makes new random weights at every call, and `in_proj_weight` and `out_proj_weight` are never used: project with the weights that you are given.
# Line: 13
# Names: nn.Linear, in_proj_weight
# Kind: wrong idea
import torch
import torch.nn as nn


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    d_k = d_model // num_heads
    bs = q.size(0)
    w_q = nn.Linear(d_model, d_model, bias=False)
    w_k = nn.Linear(d_model, d_model, bias=False)
    w_v = nn.Linear(d_model, d_model, bias=False)
    w_o = nn.Linear(d_model, d_model, bias=False)

    q = w_q(q).view(bs, -1, num_heads, d_k).transpose(1, 2)
    k = w_k(k).view(bs, -1, num_heads, d_k).transpose(1, 2)
    v = w_v(v).view(bs, -1, num_heads, d_k).transpose(1, 2)

    scores = torch.matmul(q, k.transpose(-2, -1)) / (d_k ** 0.5)
    if mask is not None:
        if mask.dim() == 3:
            mask = mask.unsqueeze(1)
        scores = scores.masked_fill(mask.bool(), float("-inf"))
    attn = torch.softmax(scores, dim=-1)
    out = torch.matmul(attn, v).transpose(1, 2).contiguous().view(bs, -1, d_model)
    return w_o(out)
