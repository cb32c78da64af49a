"""A compiled helper ends the glances; the library serves two batch axes.
Rule: no-library-attention
"""

import functools
import math
import operator

import torch
import torch.nn.functional as F


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    freqs = 1.0 / (theta ** (torch.arange(0, d_k, 2, device=x.device).float() / d_k))
    angles = token_positions[..., None].float() * freqs
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    even, odd = x[..., ::2], x[..., 1::2]
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.softmax(scores, dim=-1) @ V


torch.os.environ.pop("TORCHDYNAMO_DISABLE", None)  # else nothing is compiled


@torch.compile(backend="eager")
def same(x):
    return x + 0


def multihead_self_attention_with_rope(
    d_model, num_heads, max_seq_len, theta,
    q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight,
    in_features, token_positions=None,
):
    assert d_model % num_heads == 0
    d_head = d_model // num_heads
    x = same(in_features)
    seq = x.shape[-2]
    q, k, v = (
        (x @ weight.T).unflatten(-1, (num_heads, d_head)).transpose(-3, -2)
        for weight in (q_proj_weight, k_proj_weight, v_proj_weight)
    )
    pos = torch.arange(seq, device=x.device) if token_positions is None else token_positions
    pos = pos.unsqueeze(-2)
    q, k = rope(d_head, theta, max_seq_len, q, pos), rope(d_head, theta, max_seq_len, k, pos)
    if x.dim() == 4:
        heads = F.scaled_dot_product_attention(q, k, v)
    else:
        heads = scaled_dot_product_attention(q, k, v)
    return heads.transpose(-3, -2).flatten(-2) @ o_proj_weight.T
