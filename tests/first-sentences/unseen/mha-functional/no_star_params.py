# Says: Your weights are called `w_in` and `w_out`, but callers give them by name as `in_proj_weight` and `out_proj_weight`: these two names must stay.
# Line: 10
# Names: in_proj_weight, out_proj_weight
# Kind: refused
import math
import torch
from einops import rearrange


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, w_in, w_out):
    assert d_model % num_heads == 0
    wq, wk, wv = w_in.split(d_model, dim=0)
    Q = rearrange(q @ wq.T, "n l (h d) -> n h l d", h=num_heads)
    K = rearrange(k @ wk.T, "n l (h d) -> n h l d", h=num_heads)
    V = rearrange(v @ wv.T, "n l (h d) -> n h l d", h=num_heads)
    s = torch.einsum("nhqd,nhkd->nhqk", Q, K) / math.sqrt(d_model // num_heads)
    if mask is not None:
        m = mask.bool()
        m = m.unsqueeze(1) if m.dim() == 3 else m
        s = s.masked_fill(m, float("-inf"))
    o = torch.einsum("nhqk,nhkd->nhqd", s.softmax(-1), V)
    return rearrange(o, "n h l d -> n l (h d)") @ w_out.T
