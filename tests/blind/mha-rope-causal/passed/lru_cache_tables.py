"""The tables are made once for each head size, base and length, and looked up by position."""
import functools
import math

import torch
from torch import Tensor


@functools.lru_cache(maxsize=32)
def _tables(d_k: int, theta: float, max_seq_len: int, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
    with torch.inference_mode(False), torch.no_grad():
        freq = torch.exp(torch.arange(0, d_k, 2, dtype=torch.float64) * (-math.log(theta) / d_k))
        angle = torch.arange(max_seq_len, dtype=torch.float64).unsqueeze(1) * freq
        return angle.cos().to(dtype), angle.sin().to(dtype)


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    cos, sin = (t[token_positions] for t in _tables(d_k, theta, max_seq_len, in_query_or_key.dtype))
    first, second = in_query_or_key.unflatten(-1, (d_k // 2, 2)).unbind(-1)
    out = torch.stack([first * cos - second * sin, first * sin + second * cos], dim=-1)
    return out.flatten(start_dim=-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scale = 1.0 / math.sqrt(K.size(-1))
    logits = torch.matmul(Q, K.transpose(-1, -2)).mul(scale)
    if mask is not None:
        logits = logits.masked_fill(torch.logical_not(mask), -math.inf)
    return torch.matmul(logits.softmax(dim=-1), V)


def multihead_self_attention_with_rope(
    d_model,
    num_heads,
    max_seq_len,
    theta,
    q_proj_weight,
    k_proj_weight,
    v_proj_weight,
    o_proj_weight,
    in_features,
    token_positions=None,
):
    if d_model % num_heads != 0:
        raise ValueError(f"d_model {d_model} is not divisible by num_heads {num_heads}")
    d_head = d_model // num_heads
    seq = in_features.shape[-2]

    def heads(weight):
        projected = torch.einsum("...i,oi->...o", in_features, weight)
        return projected.unflatten(-1, (num_heads, d_head)).transpose(-2, -3)

    positions = torch.arange(seq, device=in_features.device) if token_positions is None else token_positions
    positions = positions[..., None, :]
    q, k, v = map(heads, (q_proj_weight, k_proj_weight, v_proj_weight))
    q = rope(d_head, theta, max_seq_len, q, positions)
    k = rope(d_head, theta, max_seq_len, k, positions)
    mask = torch.ones((seq, seq), dtype=torch.bool, device=in_features.device).tril()
    mixed = scaled_dot_product_attention(q, k, v, mask=mask)
    mixed = mixed.transpose(-2, -3).flatten(-2).reshape(in_features.shape)
    return torch.einsum("...i,oi->...o", mixed, o_proj_weight)
