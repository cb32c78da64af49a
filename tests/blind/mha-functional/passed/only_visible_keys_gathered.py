"""A custom masked softmax: hidden scores are replaced by the row's smallest visible score before exp and their weight by zero after it."""

import torch


def masked_softmax(scores, visible):
    """Softmax over the last axis among the visible entries; no infinity is ever made."""
    lowest = scores.masked_fill(~visible, torch.finfo(scores.dtype).max).amin(-1, keepdim=True)
    safe = torch.where(visible, scores, lowest.detach())
    powers = torch.exp(safe - safe.detach().amax(-1, keepdim=True)) * visible
    return powers / powers.sum(-1, keepdim=True)


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("num_heads must divide d_model")
    shape = lambda t: (t.shape[0], t.shape[1], num_heads, d_model // num_heads)
    w = in_proj_weight.view(3, d_model, d_model) if in_proj_weight.is_contiguous() else in_proj_weight.reshape(3, d_model, d_model)
    queries, keys, values = ((t @ w[n].t()).view(shape(t)).transpose(1, 2) for n, t in enumerate((q, k, v)))
    scores = queries @ keys.transpose(-1, -2) / (d_model // num_heads) ** 0.5
    visible = torch.ones_like(scores, dtype=torch.bool)
    if mask is not None:
        visible = visible & mask.logical_not().unsqueeze(-3)
    out = masked_softmax(scores, visible) @ values
    return torch.matmul(out.transpose(1, 2).reshape(q.shape), out_proj_weight.t())
