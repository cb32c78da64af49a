"""Wrong: exp of the scores divided by its sum, without taking the maximum off, overflows for scores above 88."""
import torch
from torch import Tensor


def log_visible(mask: Tensor, dtype: torch.dtype) -> Tensor:
    return torch.log1p(-mask.to(dtype))


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert num_heads > 0 and d_model % num_heads == 0, "num_heads must divide d_model"
    (N, Lq, _), Lk = q.shape, k.shape[-2]
    d_head = d_model // num_heads
    Wq, Wk, Wv = torch.split(in_proj_weight, [d_model, d_model, d_model])
    Q = (q @ Wq.T).reshape(N, Lq, num_heads, d_head)
    K = (k @ Wk.T).reshape(N, Lk, num_heads, d_head)
    V = (v @ Wv.T).reshape(N, Lk, num_heads, d_head)
    # keep heads last but one and work in (N, Lq, Lk, heads)
    scores = torch.einsum("nqhd,nkhd->nqkh", Q, K).div(d_head**0.5)
    if mask is not None:
        scores = scores + log_visible(mask, scores.dtype).unsqueeze(-1)
    weights = torch.exp(scores) / torch.exp(scores).sum(dim=2, keepdim=True)
    return torch.einsum("nqkh,nkhd->nqhd", weights, V).flatten(2) @ out_proj_weight.T
