"""The blocks of in_proj_weight are read as queries, values, keys.
Diagnosis: kv-swapped
"""

import torch
import torch.nn.functional as F
from einops import einsum, rearrange


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    wq, wv, wk = rearrange(in_proj_weight, "(three o) i -> three o i", three=3)
    Q = rearrange(F.linear(q, wq), "n l (h d) -> n h l d", h=num_heads)
    K = rearrange(F.linear(k, wk), "n l (h d) -> n h l d", h=num_heads)
    V = rearrange(F.linear(v, wv), "n l (h d) -> n h l d", h=num_heads)
    logits = einsum(Q, K, "n h i d, n h j d -> n h i j") * (d_model // num_heads) ** -0.5
    if mask is not None:
        mask = mask.expand(q.shape[0], q.shape[1], k.shape[1])
        logits = torch.where(rearrange(mask, "n i j -> n 1 i j") != 0, -torch.inf, logits)
    p = logits.softmax(dim=-1)
    return F.linear(rearrange(einsum(p, V, "n h i j, n h j d -> n h i d"), "n h l d -> n l (h d)"), out_proj_weight)
