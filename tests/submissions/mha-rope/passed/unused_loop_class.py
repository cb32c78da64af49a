"""An unused class loops over heads."""

import math
import functools

import numpy as np
import torch
import torch.nn.functional as F
from einops import einsum, rearrange, repeat
from torch import Tensor, nn

class SlowHeads(nn.Module):
    def __init__(self, num_heads, d):
        super().__init__()
        self.heads = nn.ModuleList(nn.Linear(d, d) for _ in range(num_heads))

    def forward(self, x):
        return torch.cat([head(x) for head in self.heads], dim=-1)



def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    k = torch.arange(0, d_k // 2, device=x.device, dtype=torch.float32)
    inv_freq = theta ** (-2 * k / d_k)
    pos = token_positions.to(torch.float32)
    angles = pos.unsqueeze(-1) * inv_freq
    cos = angles.cos().to(x.dtype)
    sin = angles.sin().to(x.dtype)
    even = x[..., 0::2]
    odd = x[..., 1::2]
    new_even = even * cos - odd * sin
    new_odd = even * sin + odd * cos
    out = torch.empty_like(x)
    out[..., 0::2] = new_even
    out[..., 1::2] = new_odd
    return out


def scaled_dot_product_attention(Q, K, V, mask=None):
    logits = torch.einsum("...qd,...kd->...qk", Q, K)
    logits = logits * K.size(-1) ** -0.5
    if mask is not None:
        logits = torch.where(mask, logits, torch.finfo(logits.dtype).min)
    attn = F.softmax(logits, dim=-1)
    return torch.einsum("...qk,...kd->...qd", attn, V)


def multihead_self_attention_with_rope(
    d_model, num_heads, max_seq_len, theta,
    q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight,
    in_features, token_positions=None,
):
    if d_model % num_heads != 0:
        raise ValueError("num_heads must divide d_model")
    lead, seq, dh = in_features.shape[:-2], in_features.shape[-2], d_model // num_heads
    x = in_features.reshape(-1, seq, d_model)
    batch = x.shape[0]

    def into_heads(weight):
        y = torch.matmul(x, weight.t()).reshape(batch, seq, num_heads, dh)
        return y.permute(0, 2, 1, 3).reshape(batch * num_heads, seq, dh)

    if token_positions is None:
        token_positions = torch.arange(seq, device=x.device)
    pos = token_positions.expand(*lead, seq).reshape(batch, 1, seq)
    pos = pos.expand(batch, num_heads, seq).reshape(batch * num_heads, seq)
    q = rope(dh, theta, max_seq_len, into_heads(q_proj_weight), pos)
    k = rope(dh, theta, max_seq_len, into_heads(k_proj_weight), pos)
    o = scaled_dot_product_attention(q, k, into_heads(v_proj_weight))
    o = o.reshape(batch, num_heads, seq, dh).permute(0, 2, 1, 3).reshape(*lead, seq, d_model)
    return o @ o_proj_weight.T
