"""A right answer of the seventh corpus."""
from einops import rearrange, repeat
import torch
from torch import einsum


def exists(val):
    return val is not None


def default(val, d):
    return val if exists(val) else d


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    h, scale = num_heads, (d_model // num_heads) ** -0.5

    to_q, to_k, to_v = rearrange(in_proj_weight, "(three o) i -> three i o", three=3)
    queries, keys, values = (rearrange(t, "b n (h d) -> b h n d", h=h) for t in (q @ to_q, k @ to_k, v @ to_v))

    sim = einsum("b h i d, b h j d -> b h i j", queries, keys) * scale

    if exists(mask):
        m = mask.bool() if mask.ndim == 3 else repeat(mask.bool(), "i j -> b i j", b=q.shape[0])
        mask_value = -torch.finfo(sim.dtype).max
        sim = sim.masked_fill(rearrange(m, "b i j -> b 1 i j"), mask_value)

    attn = sim.softmax(dim=-1)
    out = einsum("b h i j, b h j d -> b h i d", attn, values)
    out = rearrange(out, "b h n d -> b n (h d)")
    return out @ out_proj_weight.t()
