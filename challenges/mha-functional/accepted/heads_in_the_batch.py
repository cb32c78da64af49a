"""Heads folded into the batch, as torch does it: bmm over (N * heads), the mask repeated for each head of a sequence."""

import math

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    d_head, rest = divmod(d_model, num_heads)
    assert rest == 0
    n, l_q, l_k = q.size(0), q.size(1), k.size(1)

    def fold(x, weight):
        x = torch.matmul(x, weight.t())
        return x.reshape(n, -1, num_heads, d_head).permute(0, 2, 1, 3).reshape(n * num_heads, -1, d_head)

    w_q, w_k, w_v = in_proj_weight.chunk(3, dim=0)
    Q, K, V = fold(q, w_q), fold(k, w_k), fold(v, w_v)
    bias = torch.zeros(n * num_heads, l_q, l_k, dtype=q.dtype, device=q.device)
    if mask is not None:
        whole = torch.broadcast_to(mask != 0, (n, l_q, l_k)).repeat_interleave(num_heads, dim=0)
        bias = bias.masked_fill(whole, -math.inf)
    weights = torch.softmax(torch.baddbmm(bias, Q / math.sqrt(d_head), K.transpose(1, 2)), dim=-1)
    out = torch.bmm(weights, V).reshape(n, num_heads, l_q, d_head).permute(0, 2, 1, 3)
    return torch.matmul(out.reshape(n, l_q, d_model), out_proj_weight.t())
