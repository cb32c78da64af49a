# Says: `nn.MultiheadAttention` does the attention for you, which is not allowed, and it would copy the weights and pass them no gradient: write projections, scores and softmax yourself.
# Line: 11
# Names: nn.MultiheadAttention
# Kind: refused
import torch
from torch import nn


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    mha = nn.MultiheadAttention(d_model, num_heads, bias=False, batch_first=True, dtype=q.dtype)
    with torch.no_grad():
        mha.in_proj_weight.copy_(in_proj_weight)
        mha.out_proj.weight.copy_(out_proj_weight)
    if mask is not None:
        mask = mask.bool().expand(q.shape[0], q.shape[1], k.shape[1]).repeat_interleave(num_heads, dim=0)
    return mha(q, k, v, attn_mask=mask)[0]
