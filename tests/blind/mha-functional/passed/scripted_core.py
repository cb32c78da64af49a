"""The core is a torch.jit.script function."""

import torch
from torch import Tensor


@torch.jit.script
def core(q: Tensor, k: Tensor, v: Tensor, hidden: Tensor) -> Tensor:
    scores = torch.matmul(q, k.transpose(-2, -1)) / (q.size(-1) ** 0.5)
    scores = scores.masked_fill(hidden, -float("inf"))
    return torch.matmul(torch.softmax(scores, dim=-1), v)


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    N, L_q, L_k = q.size(0), q.size(1), k.size(1)
    if mask is None:
        mask = torch.zeros(1, L_q, L_k, dtype=torch.bool, device=q.device)
    hidden = mask.bool().expand(N, L_q, L_k).unsqueeze(1)
    parts = []
    for x, w in ((q, in_proj_weight[:d_model]), (k, in_proj_weight[d_model : 2 * d_model]), (v, in_proj_weight[2 * d_model :])):
        y = x.matmul(w.t())
        parts.append(y.view(N, y.size(1), num_heads, d_model // num_heads).transpose(1, 2))
    out = core(parts[0], parts[1], parts[2], hidden)
    return out.transpose(1, 2).contiguous().view(N, L_q, d_model).matmul(out_proj_weight.t())
