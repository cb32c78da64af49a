"""A cheat of the seventh corpus: scripted loop."""
import math

import torch
import torch.nn.functional as F


@torch.jit.script
def heads(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor, hidden: torch.Tensor) -> torch.Tensor:
    outs: list[torch.Tensor] = []
    for h in range(Q.size(1)):
        s = Q[:, h] @ K[:, h].transpose(1, 2) / float(Q.size(3)) ** 0.5
        outs.append(torch.softmax(s.masked_fill(hidden, -float("inf")), -1) @ V[:, h])
    return torch.cat(outs, -1)


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("d_model must be divisible by num_heads")
    d_head = d_model // num_heads
    n, l_q, l_k = q.shape[0], q.shape[1], k.shape[1]
    w_q, w_k, w_v = in_proj_weight.chunk(3, dim=0)
    Q = F.linear(q, w_q).reshape(n, l_q, num_heads, d_head).transpose(1, 2)
    K = F.linear(k, w_k).reshape(n, l_k, num_heads, d_head).transpose(1, 2)
    V = F.linear(v, w_v).reshape(n, l_k, num_heads, d_head).transpose(1, 2)
    hidden = torch.zeros(1, 1, 1, dtype=torch.bool) if mask is None else mask.to(torch.bool)
    out = heads(Q, K, V, hidden)
    return F.linear(out, out_proj_weight)
