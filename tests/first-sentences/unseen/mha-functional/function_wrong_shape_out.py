# Says: `out.permute(0, 2, 1)` names three axes, but `out` has four: swap heads and tokens with `out.permute(0, 2, 1, 3)`.
# Line: 23
# Names: permute, four
# Kind: crash
import numpy as np
import torch

def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    n, lq, _ = q.size()
    lk = k.size(1)
    hd = d_model // num_heads
    wq, wk, wv = in_proj_weight[0:d_model], in_proj_weight[d_model:d_model*2], in_proj_weight[d_model*2:d_model*3]
    Q = torch.matmul(q, wq.T).reshape(n, lq, num_heads, hd).permute(0, 2, 1, 3)
    K = torch.matmul(k, wk.T).reshape(n, lk, num_heads, hd).permute(0, 2, 3, 1)
    V = torch.matmul(v, wv.T).reshape(n, lk, num_heads, hd).permute(0, 2, 1, 3)
    att = torch.matmul(Q, K) / np.sqrt(hd)
    if mask is not None:
        if mask.ndim == 2:
            mask = mask.unsqueeze(0)
        att = att.masked_fill(mask.unsqueeze(1) > 0, -np.inf)
    out = torch.matmul(torch.softmax(att, dim=3), V)
    out = out.permute(0, 2, 1).reshape(n, lq, d_model)
    return torch.matmul(out, out_proj_weight.T)
