"""One einsum takes four tensors: gone through from left to right, it would need half a gigabyte."""

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    dh, rest = divmod(d_model, num_heads)
    if rest:
        raise ValueError("cannot share out the features evenly")
    Wq, Wk, Wv = in_proj_weight.reshape(3, num_heads, dh, d_model).unbind(0)
    Wo = out_proj_weight.reshape(d_model, num_heads, dh)
    s = torch.einsum("nqd,hed,nkc,hec->nhqk", q, Wq, k, Wk) / dh**0.5
    if mask is not None:
        m = torch.zeros(s.shape[0], s.shape[2], s.shape[3], dtype=s.dtype, device=s.device)
        s = s + m.masked_fill(mask.bool(), -torch.inf).unsqueeze(1)
    p = torch.softmax(s, -1)
    return torch.einsum("nhqk,nkc,hec,ohe->nqo", p, v, Wv, Wo)
