"""The decorator of jaxtyping with typechecker=None."""

import torch.nn.functional as F
import math

import torch
from jaxtyping import Float, jaxtyped
from torch import Tensor


@jaxtyped(typechecker=None)
def scaled_dot_product_attention(
    Q: Float[Tensor, "... q d"], K: Float[Tensor, "... k d"], V: Float[Tensor, "... k v"], mask=None
) -> Float[Tensor, "... q v"]:
    scores = Q @ K.mT / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = torch.where(mask, scores, -math.inf)
    return scores.softmax(dim=-1) @ V


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    inv_freq = theta ** (-torch.arange(0, d_k, 2, device=x.device, dtype=torch.float32) / d_k)
    phase = token_positions.unsqueeze(-1).to(torch.float32) * inv_freq
    rotor = torch.polar(torch.ones_like(phase), phase)
    pairs = torch.view_as_complex(x.float().reshape(*x.shape[:-1], d_k // 2, 2))
    return torch.view_as_real(pairs * rotor).flatten(-2).to(x.dtype)


@jaxtyped(typechecker=None)
def multihead_self_attention_with_rope(
    d_model: int,
    num_heads: int,
    max_seq_len: int,
    theta: float,
    q_proj_weight: Tensor,
    k_proj_weight: Tensor,
    v_proj_weight: Tensor,
    o_proj_weight: Tensor,
    in_features: Tensor,
    token_positions: Tensor | None = None,
) -> Tensor:
    if d_model % num_heads:
        raise ValueError("num_heads has to divide d_model")
    d_head = d_model // num_heads
    *lead, seq, _ = in_features.shape
    qkv = [F.linear(in_features, w) for w in (q_proj_weight, k_proj_weight, v_proj_weight)]
    q, k, v = [t.unflatten(-1, (num_heads, d_head)).transpose(-3, -2) for t in qkv]
    pos = torch.arange(seq, device=in_features.device) if token_positions is None else token_positions
    pos = pos.expand(*lead, seq).unsqueeze(-2)
    q = rope(d_head, theta, max_seq_len, q, pos)
    k = rope(d_head, theta, max_seq_len, k, pos)
    heads = scaled_dot_product_attention(q, k, v)
    return F.linear(heads.transpose(-3, -2).flatten(-2), o_proj_weight)
