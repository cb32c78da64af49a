# Says: The two weights are given by name, as `in_proj_weight` and `out_proj_weight`, but your function calls them `w_in` and `w_out`: these two may not be renamed.
# Line: 9
# Names: in_proj_weight, w_in
# Kind: crash
import torch
import torch.nn.functional as F
from torch import Tensor

def multi_head_attention(q: Tensor, k: Tensor, v: Tensor, num_heads: int, d_model: int, mask: Tensor | None = None,
                         *, w_in: Tensor, w_out: Tensor) -> Tensor:
    if d_model % num_heads:
        raise ValueError("bad num_heads")
    bs, Lq, Lk = q.size(0), q.size(1), k.size(1)
    dh = d_model // num_heads
    Wq, Wk, Wv = torch.split(w_in, d_model)
    qh = F.linear(q, Wq).view(bs, Lq, num_heads, dh).permute(0, 2, 1, 3)   # N H Lq dh
    kh = F.linear(k, Wk).view(bs, Lk, num_heads, dh).permute(0, 2, 3, 1)   # N H dh Lk
    vh = F.linear(v, Wv).view(bs, Lk, num_heads, dh).permute(0, 2, 1, 3)   # N H Lk dh
    s = torch.matmul(qh, kh) / dh ** 0.5
    if mask is not None:
        m = mask.bool()
        m = m[:, None] if m.dim() == 3 else m
        s = s.masked_fill(m, -torch.inf)
    p = F.softmax(s, dim=3)
    ctx = torch.matmul(p, vh).permute(0, 2, 1, 3).contiguous().view(bs, Lq, d_model)
    return F.linear(ctx, w_out)
