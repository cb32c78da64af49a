"""Written for one sequence; torch.func.vmap adds the batch, with in_dims that depend on the mask's shape."""

import torch
from torch.func import vmap


def one(q, k, v, hidden, w_q, w_k, w_v, w_o, num_heads):
    q, k, v = (
        (t @ w.T).reshape(t.shape[0], num_heads, -1).transpose(0, 1) for t, w in ((q, w_q), (k, w_k), (v, w_v))
    )
    scores = (q @ k.transpose(1, 2)) * q.shape[-1] ** -0.5 + hidden
    return (torch.softmax(scores, 2) @ v).transpose(0, 1).flatten(1) @ w_o.T


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise AssertionError(f"{d_model} % {num_heads} != 0")
    if mask is None:
        mask = torch.zeros((), dtype=torch.bool, device=q.device)
    mask = mask.ne(0).expand(q.shape[0], q.shape[1], k.shape[1])
    bias = torch.zeros_like(mask, dtype=q.dtype).masked_fill_(mask, -torch.inf)
    weights = (*in_proj_weight.unflatten(0, (3, d_model)).unbind(), out_proj_weight)
    return vmap(one, in_dims=(0, 0, 0, 0, None, None, None, None, None))(q, k, v, bias, *weights, num_heads)
