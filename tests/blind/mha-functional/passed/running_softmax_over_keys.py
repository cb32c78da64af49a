"""Multi-head attention with a running softmax over blocks of keys, as flash attention does it."""
import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert not d_model % num_heads
    n, lq, lk, f = q.shape[0], q.shape[1], k.shape[1], d_model // num_heads
    w = in_proj_weight.unflatten(0, (3, d_model))
    Q = (q @ w[0].mT).unflatten(-1, (num_heads, f)).transpose(1, 2) * f**-0.5
    K = (k @ w[1].mT).unflatten(-1, (num_heads, f)).transpose(1, 2)
    V = (v @ w[2].mT).unflatten(-1, (num_heads, f)).transpose(1, 2)
    hidden = torch.zeros(1, 1, 1, dtype=torch.bool) if mask is None else mask != 0
    hidden = hidden.expand(n, lq, lk).unsqueeze(1)
    lowest = torch.finfo(Q.dtype).min / 4
    top = Q.new_full((n, num_heads, lq, 1), lowest)
    total, mixed = torch.zeros_like(top), torch.zeros_like(Q)
    for begin in range(0, lk, 2):
        part = slice(begin, begin + 2)
        scores = (Q @ K[:, :, part].mT).masked_fill(hidden[..., part], lowest)
        new_top = torch.maximum(top, scores.detach().amax(-1, keepdim=True))
        shrink, powers = torch.exp(top - new_top), torch.exp(scores - new_top)
        total = total * shrink + powers.sum(-1, keepdim=True)
        mixed = mixed * shrink + powers @ V[:, :, part]
        top = new_top
    return (mixed / total).transpose(1, 2).flatten(2) @ out_proj_weight.mT
