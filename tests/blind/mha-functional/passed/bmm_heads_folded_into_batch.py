"""Multi-head attention with torch.bmm, the heads folded into the batch axis."""

import torch
import torch.nn.functional as F


def _fold(x, num_heads):
    n, length, d = x.size()
    x = x.reshape(n, length, num_heads, d // num_heads)
    return x.permute(0, 2, 1, 3).reshape(n * num_heads, length, d // num_heads)


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("d_model must be a multiple of num_heads")
    n, l_q, _ = q.size()
    l_k = k.size(1)
    w_q, w_k, w_v = in_proj_weight.chunk(3, dim=0)

    Q = _fold(F.linear(q, w_q), num_heads)
    K = _fold(F.linear(k, w_k), num_heads)
    V = _fold(F.linear(v, w_v), num_heads)

    scores = torch.bmm(Q, K.mT).div((d_model // num_heads) ** 0.5)
    if mask is not None:
        # sequence 0 owns the first num_heads rows of the folded batch, so repeat_interleave and not repeat
        hidden = mask.to(torch.bool).expand(n, l_q, l_k).repeat_interleave(num_heads, dim=0)
        scores = scores.masked_fill(hidden, -torch.inf)

    out = torch.bmm(F.softmax(scores, dim=2), V)
    out = out.reshape(n, num_heads, l_q, -1).permute(0, 2, 1, 3).flatten(2)
    return F.linear(out, out_proj_weight)
