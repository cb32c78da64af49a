"""Multi-head attention with einops: one rearrange to split, one to merge."""
import torch
import torch.nn.functional as F
from einops import rearrange


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError(f"d_model={d_model} is not divisible by num_heads={num_heads}")
    wq, wk, wv = rearrange(in_proj_weight, "(three o) i -> three o i", three=3)
    Q = rearrange(F.linear(q, wq), "n l (h d) -> n h l d", h=num_heads)
    K = rearrange(F.linear(k, wk), "n l (h d) -> n h l d", h=num_heads)
    V = rearrange(F.linear(v, wv), "n l (h d) -> n h l d", h=num_heads)
    scores = torch.einsum("nhqd,nhkd->nhqk", Q, K) * (d_model // num_heads) ** -0.5
    if mask is not None:
        hidden = mask != 0
        hidden = hidden.expand(q.shape[0], q.shape[1], k.shape[1])
        hidden = rearrange(hidden, "n q k -> n 1 q k")
        scores = torch.where(hidden, float("-inf"), scores)
    weights = scores.softmax(dim=-1)
    heads = torch.einsum("nhqk,nhkd->nhqd", weights, V)
    return F.linear(rearrange(heads, "n h l d -> n l (h d)"), out_proj_weight)
