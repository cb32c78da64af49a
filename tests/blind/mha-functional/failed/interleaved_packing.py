"""Reads in_proj_weight as (heads, 3, d_head) blocks, as GPT-NeoX packs it, instead of three blocks of d_model rows."""
import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("heads")
    dh = d_model // num_heads
    # GPT-NeoX: [heads, 3 * head_dim]
    packed = in_proj_weight.reshape(num_heads, 3, dh, d_model)
    wq, wk, wv = packed.unbind(1)
    qh = torch.einsum("nld,hed->nhle", q, wq)
    kh = torch.einsum("nld,hed->nhle", k, wk)
    vh = torch.einsum("nld,hed->nhle", v, wv)
    s = qh @ kh.mT / dh**0.5
    if mask is not None:
        s = s.masked_fill(mask.bool().unsqueeze(-3), float("-inf"))
    o = s.softmax(-1) @ vh
    return o.transpose(1, 2).flatten(2) @ out_proj_weight.T
