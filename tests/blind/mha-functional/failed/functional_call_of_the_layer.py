"""Multi-head attention as a call of the library's layer, with the caller's weights in place of its own.

Wrong: nn.MultiheadAttention does the work; the numbers and gradients are its.
When: every call.
Spec: «no attention from a library (`nn.MultiheadAttention`, `F.multi_head_attention_forward`, `F.scaled_dot_product_attention` and the like)»
"""
import torch
from torch.func import functional_call


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    layer = torch.nn.MultiheadAttention(d_model, num_heads, bias=False, batch_first=True, dtype=q.dtype)
    if mask is not None:
        mask = mask.bool().expand(q.shape[0], q.shape[1], k.shape[1]).repeat_interleave(num_heads, 0)
    weights = {"in_proj_weight": in_proj_weight, "out_proj.weight": out_proj_weight}
    return functional_call(layer, weights, (q, k, v), {"attn_mask": mask, "need_weights": True})[0]
