"""Multi-head attention that works in place on what it made itself."""
import math

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("uneven heads")
    batch, lq, lk = q.size(0), q.size(1), k.size(1)
    wq, wk, wv = in_proj_weight[:d_model], in_proj_weight[d_model:-d_model], in_proj_weight[-d_model:]
    qs = torch.matmul(q, wq.T).reshape(batch, lq, num_heads, -1).permute(0, 2, 1, 3)
    ks = torch.matmul(k, wk.T).reshape(batch, lk, num_heads, -1).permute(0, 2, 3, 1)
    vs = torch.matmul(v, wv.T).reshape(batch, lk, num_heads, -1).permute(0, 2, 1, 3)
    logits = torch.matmul(qs, ks)
    logits /= math.sqrt(d_model // num_heads)
    if mask is not None:
        logits.masked_fill_((mask.unsqueeze(-3) if mask.dim() == 3 else mask).to(torch.bool), -math.inf)
    out = torch.matmul(logits.softmax(-1), vs)
    return torch.matmul(out.permute(0, 2, 1, 3).reshape(batch, lq, d_model), out_proj_weight.T)
