# Says: `nn.MultiheadAttention` in `mha = nn.MultiheadAttention(d_model, num_heads, bias=False, batch_first=True)` is the attention you are to write yourself.
# Line: 9
# Names: nn.MultiheadAttention
# Kind: refused
import torch
from torch import nn

def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    mha = nn.MultiheadAttention(d_model, num_heads, bias=False, batch_first=True)
    mha.in_proj_weight.data = in_proj_weight
    mha.out_proj.weight.data = out_proj_weight
    if mask is not None:
        mask = mask.bool().broadcast_to(q.shape[0], q.shape[1], k.shape[1]).repeat_interleave(num_heads, 0)
    return mha(q, k, v, attn_mask=mask)[0]
