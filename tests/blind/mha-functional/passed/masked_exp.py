"""A right answer of the seventh corpus."""
import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight, eps=0.0):
    assert not d_model % num_heads
    size = d_model // num_heads
    wq, wk, wv = (w.view(num_heads, size, d_model) if w.is_contiguous() else w.reshape(num_heads, size, d_model) for w in in_proj_weight.split(d_model))
    qh = torch.tensordot(q, wq, dims=[[2], [2]])  # n, l, h, d
    kh = torch.tensordot(k, wk, dims=[[2], [2]])
    vh = torch.tensordot(v, wv, dims=[[2], [2]])
    s = (qh.unsqueeze(2) * kh.unsqueeze(1)).sum(-1) / size**0.5  # n, lq, lk, h
    if mask is not None:
        keep = (mask == 0).unsqueeze(-1)
        s = s.masked_fill(~keep, torch.finfo(s.dtype).min)
    s = s - s.amax(dim=2, keepdim=True)
    e = s.exp()
    p = e / (e.sum(dim=2, keepdim=True) + eps)
    y = (p.unsqueeze(-1) * vh.unsqueeze(1)).sum(2)
    return y.flatten(2) @ out_proj_weight.T
