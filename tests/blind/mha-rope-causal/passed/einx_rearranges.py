"""einx moves the axes by name; the mask is a slice of a table that is cached by length and device."""

from functools import lru_cache

import einx
import torch


@lru_cache(maxsize=8)
def causal_table(length: int, device: torch.device) -> torch.Tensor:
    with torch.inference_mode(False):
        return torch.ones(length, length, dtype=torch.bool, device=device).tril()


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    half = d_k // 2
    x = einx.rearrange("... (h two) -> ... h two", in_query_or_key, two=2)
    angle = token_positions.double()[..., None] / theta ** (torch.arange(half, device=x.device).double() / half)
    matrix = torch.stack((angle.cos(), -angle.sin(), angle.sin(), angle.cos()), -1).unflatten(-1, (2, 2)).to(x.dtype)
    return (matrix @ x[..., None]).squeeze(-1).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = torch.einsum("...qd,...kd->...qk", Q, K) / Q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.einsum("...qk,...kv->...qv", torch.softmax(scores, -1), V)


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    if d_model % num_heads:
        raise ValueError("num_heads must divide d_model")
    seq = in_features.shape[-2]
    if token_positions is None:
        token_positions = torch.arange(seq, device=in_features.device)
    token_positions = token_positions.reshape(seq) if token_positions.numel() == seq else token_positions.unsqueeze(-2)
    q, k, v = (
        torch.einsum("...i,oi->...o", in_features, w).unflatten(-1, (num_heads, -1)).transpose(-3, -2)
        for w in (q_proj_weight, k_proj_weight, v_proj_weight)
    )
    q, k = (rope(d_model // num_heads, theta, max_seq_len, t, token_positions) for t in (q, k))
    visible = causal_table(max(max_seq_len, seq), in_features.device)[:seq, :seq]
    merged = scaled_dot_product_attention(q, k, v, visible).transpose(-3, -2).reshape(in_features.shape)
    return torch.einsum("...i,oi->...o", merged, o_proj_weight)
