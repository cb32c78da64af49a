# Says: A mask of shape (N, L_q, L_k) does not fit scores of shape (N, heads, L_q, L_k) in `s = s.masked_fill(m, -torch.inf)`: give it an axis for the heads with `unsqueeze(1)`.
# Line: 22
# Names: masked_fill, heads, unsqueeze(1)
# Kind: crash
import torch
import torch.nn.functional as F
from torch import Tensor

def multi_head_attention(q: Tensor, k: Tensor, v: Tensor, num_heads: int, d_model: int, mask: Tensor | None = None,
                         *, in_proj_weight: Tensor, out_proj_weight: Tensor) -> Tensor:
    if d_model % num_heads:
        raise ValueError("bad num_heads")
    bs, Lq, Lk = q.size(0), q.size(1), k.size(1)
    dh = d_model // num_heads
    Wq, Wk, Wv = torch.split(in_proj_weight, d_model)
    qh = F.linear(q, Wq).view(bs, Lq, num_heads, dh).permute(0, 2, 1, 3)   # N H Lq dh
    kh = F.linear(k, Wk).view(bs, Lk, num_heads, dh).permute(0, 2, 3, 1)   # N H dh Lk
    vh = F.linear(v, Wv).view(bs, Lk, num_heads, dh).permute(0, 2, 1, 3)   # N H Lk dh
    s = torch.matmul(qh, kh) / dh ** 0.5
    if mask is not None:
        m = mask.bool()
        s = s.masked_fill(m, -torch.inf)
    p = F.softmax(s, dim=3)
    ctx = torch.matmul(p, vh).permute(0, 2, 1, 3).contiguous().view(bs, Lq, d_model)
    return F.linear(ctx, out_proj_weight)
