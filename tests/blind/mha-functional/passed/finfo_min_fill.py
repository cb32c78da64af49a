"""Hidden scores get the lowest number of the dtype instead of minus infinity."""

import torch
import torch.nn.functional as F


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    """No query is hidden from all keys, so the softmax gives an exact 0 wherever this number stands."""
    assert num_heads > 0 and d_model % num_heads == 0
    N, Lq, Lk = q.shape[0], q.shape[1], k.shape[1]
    wq, wk, wv = in_proj_weight.chunk(3, dim=0)
    q = F.linear(q, wq).reshape(N, Lq, num_heads, -1).transpose(-3, -2)
    k = F.linear(k, wk).reshape(N, Lk, num_heads, -1).transpose(-3, -2)
    v = F.linear(v, wv).reshape(N, Lk, num_heads, -1).transpose(-3, -2)
    dots = torch.einsum("...id,...jd->...ij", q, k) * (d_model // num_heads) ** -0.5
    if mask is not None:
        m = mask.bool().reshape((1,) * (3 - mask.dim()) + tuple(mask.shape))
        dots = dots.masked_fill(m.unsqueeze(1), torch.finfo(dots.dtype).min)
    out = dots.softmax(dim=-1) @ v
    return F.linear(out.transpose(-3, -2).flatten(-2), out_proj_weight)
