"""Goes through the keys two at a time with a running maximum, a running sum and a running average."""

import torch


def blocks(length, size):
    for start in range(0, length, size):
        yield slice(start, min(start + size, length))


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("d_model must be a multiple of num_heads")
    n, l_q, l_k = q.shape[0], q.shape[1], k.shape[1]
    heads = [(t @ w.mT).unflatten(-1, (num_heads, -1)).transpose(1, 2) for t, w in zip((q, k, v), in_proj_weight.split(d_model))]
    visible = None if mask is None else (mask == 0).expand(n, l_q, l_k).unsqueeze(1)
    Q, K, V = heads
    top = Q.new_full((n, num_heads, l_q, 1), torch.finfo(Q.dtype).min)
    total = torch.zeros_like(top)
    average = torch.zeros_like(Q)
    for block in blocks(l_k, 2):
        s = Q @ K[:, :, block].mT * Q.shape[-1] ** -0.5
        if visible is not None:
            s = torch.where(visible[..., block], s, -torch.inf)
        higher = torch.maximum(top, s.detach().amax(-1, keepdim=True))
        keep, e = (top - higher).exp(), (s - higher).exp()
        total = keep * total + e.sum(-1, keepdim=True)
        average = keep * average + e @ V[:, :, block]
        top = higher
    return (average / total).transpose(1, 2).flatten(2) @ out_proj_weight.mT
