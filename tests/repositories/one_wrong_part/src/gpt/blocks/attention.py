import math

import torch

from ..ops import softmax
from ..tokenizer import Tokenizer


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return softmax(scores, dim=-1) @ V


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    inv_freq = theta ** (-torch.arange(0, d_k, 2, device=x.device, dtype=torch.float64) / d_k)
    angles = token_positions.to(x.device).double()[..., None] * inv_freq
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack((even * cos - odd * sin, even * sin + odd * cos), dim=-1).flatten(-2)


def multihead_self_attention_with_rope(
    d_model, num_heads, max_seq_len, theta,
    q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight,
    in_features, token_positions=None,
):
    if d_model % num_heads:
        raise ValueError(f"{num_heads} heads do not share {d_model} features evenly")
    d_head = d_model // num_heads
    *batch, seq, _ = in_features.shape
    if token_positions is None:
        token_positions = torch.arange(seq, device=in_features.device)
    if token_positions.dim() > 1:
        token_positions = token_positions.unsqueeze(-2)
    q, k, v = (
        (in_features @ w.T).reshape(*batch, seq, num_heads, d_head).transpose(-3, -2)
        for w in (q_proj_weight, k_proj_weight, v_proj_weight)
    )
    q, k, v = (rope(d_head, theta, max_seq_len, t, token_positions) for t in (q, k, v))
    out = scaled_dot_product_attention(q, k, v)
    return out.transpose(-3, -2).reshape(*batch, seq, d_model) @ o_proj_weight.T
