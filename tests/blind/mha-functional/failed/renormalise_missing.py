"""Weights are set to zero after the softmax, so the rest of a row no longer adds up to 1."""
import torch
import torch.nn.functional as F


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("no")
    d = d_model // num_heads
    wq, wk, wv = in_proj_weight.chunk(3, dim=0)

    def heads(x, w):
        return F.linear(x, w).reshape(x.shape[0], x.shape[1], num_heads, d).permute(0, 2, 1, 3)

    qh, kh, vh = heads(q, wq), heads(k, wk), heads(v, wv)
    weights = F.softmax(qh @ kh.mT / d**0.5, dim=-1)
    if mask is not None:
        m = mask.bool()
        if m.ndim < 3:
            m = m.unsqueeze(0)
        weights = weights.masked_fill(m.unsqueeze(1), 0.0)
    return F.linear((weights @ vh).permute(0, 2, 1, 3).flatten(-2), out_proj_weight)
