"""Wrong: a cheat; takes the self_attn of an nn.TransformerDecoderLayer, hands it the weights with functional_call and lets it attend."""

import torch
from torch.func import functional_call
from torch.nn import TransformerDecoderLayer


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("num_heads must divide d_model")
    inner = TransformerDecoderLayer(d_model, num_heads, 1, dropout=0.0, batch_first=True, bias=False, dtype=q.dtype).self_attn
    given = {"in_proj_weight": in_proj_weight, "out_proj.weight": out_proj_weight}
    if mask is not None:
        mask = mask.bool().expand(q.shape[0], q.shape[1], k.shape[1]).repeat_interleave(num_heads, dim=0)
    return functional_call(inner, given, (q, k, v), {"attn_mask": mask, "need_weights": False})[0]
