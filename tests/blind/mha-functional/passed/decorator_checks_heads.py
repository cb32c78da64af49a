"""A decorator checks that the heads fit before anything is computed."""

import functools

import torch


def heads_must_fit(f):
    @functools.wraps(f)
    def checked(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
        if d_model % num_heads != 0:
            raise ValueError(f"d_model {d_model} is not divisible by {num_heads} heads")
        return f(q, k, v, num_heads, d_model, mask, in_proj_weight=in_proj_weight, out_proj_weight=out_proj_weight)
    return checked


@heads_must_fit
def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    N, T, S = len(q), q.shape[1], k.shape[1]
    d = d_model // num_heads
    q, k, v = q @ in_proj_weight[:d_model].T, k @ in_proj_weight[d_model:2*d_model].T, v @ in_proj_weight[2*d_model:].T
    q = q.view(N, T, num_heads, d).transpose(1, 2)
    k = k.view(N, S, num_heads, d).transpose(1, 2)
    v = v.view(N, S, num_heads, d).transpose(1, 2)
    att = q @ k.transpose(-2, -1) * (1.0 / d ** 0.5)
    if mask is not None:
        att = att.masked_fill((mask > 0.5).expand(N, T, S).unsqueeze(1), float('-inf'))
    att = torch.nn.Softmax(dim=-1)(att)
    y = att @ v
    return y.transpose(1, 2).contiguous().view(N, T, d_model) @ out_proj_weight.T
