"""Wrong: scores are not divided by the root of d_k."""
import cmath
import math

import torch
from torch import Tensor


def rope(d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor) -> Tensor:
    complex_of = {torch.float32: torch.complex64, torch.float64: torch.complex128}
    z = torch.view_as_complex(in_query_or_key.reshape(*in_query_or_key.shape[:-1], d_k // 2, 2).contiguous())
    rate = theta ** (-torch.arange(0, d_k, 2, dtype=torch.float64, device=z.device) / d_k)
    angle = token_positions.unsqueeze(-1).to(torch.float64) * rate
    unit = torch.polar(angle.new_ones(()).expand_as(angle).contiguous(), angle).to(complex_of[in_query_or_key.dtype])
    return torch.view_as_real(z * unit).flatten(start_dim=-2)


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Tensor:
    logits = torch.einsum("...qc,...kc->...qk", Q, K)
    if mask is not None:
        logits = logits.masked_fill(torch.logical_not(mask), -math.inf)
    return torch.einsum("...qk,...kv->...qv", logits.softmax(-1), V)


def multihead_self_attention_with_rope(
    d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None
):
    if d_model % num_heads != 0:
        raise ValueError("the heads do not fit into d_model")
    index = torch.arange(in_features.shape[-2], device=in_features.device)
    positions = index if token_positions is None else token_positions
    shape = (*in_features.shape[:-1], num_heads, d_model // num_heads)
    Q = (in_features @ q_proj_weight.mT).reshape(shape).transpose(-3, -2)
    K = (in_features @ k_proj_weight.mT).reshape(shape).transpose(-3, -2)
    V = (in_features @ v_proj_weight.mT).reshape(shape).transpose(-3, -2)
    Q, K = (rope(shape[-1], theta, max_seq_len, t, positions[..., None, :]) for t in (Q, K))
    may_see = index[None, :] <= index[:, None]
    return scaled_dot_product_attention(Q, K, V, may_see).transpose(-3, -2).reshape(in_features.shape) @ o_proj_weight.mT
