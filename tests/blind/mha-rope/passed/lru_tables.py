"""A right answer of the seventh corpus."""
from functools import lru_cache

import torch
from torch import Tensor


@lru_cache(maxsize=64)
def _table(d_k: int, theta: float, length: int, dtype: torch.dtype, device: torch.device) -> tuple[Tensor, Tensor]:
    with torch.inference_mode(False), torch.no_grad():
        speed = torch.exp(-torch.arange(0, d_k, 2, dtype=torch.float64, device=device) * (torch.log(torch.tensor(theta, dtype=torch.float64)) / d_k))
        angle = torch.outer(torch.arange(length, dtype=torch.float64, device=device), speed).repeat_interleave(2, dim=1)
        return angle.cos().to(dtype), angle.sin().to(dtype)


def _quarter_turn(x: Tensor) -> Tensor:
    """(a, b) -> (-b, a) in every pair."""
    return torch.stack((-x[..., 1::2], x[..., 0::2]), dim=-1).flatten(-2)


def rope(d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor) -> Tensor:
    cos, sin = _table(d_k, float(theta), max_seq_len, in_query_or_key.dtype, in_query_or_key.device)
    return in_query_or_key * cos[token_positions] + _quarter_turn(in_query_or_key) * sin[token_positions]


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Tensor:
    scale = Q.size(-1) ** -0.5
    scores = (Q * scale) @ K.transpose(-1, -2)
    if mask is not None:
        scores = scores.masked_fill(torch.logical_not(mask), float("-inf"))
    scores = scores - scores.amax(dim=-1, keepdim=True)
    unnormalised = scores.exp()
    return (unnormalised @ V) / unnormalised.sum(-1, keepdim=True)


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
    d_head, rest = divmod(d_model, num_heads)
    if rest != 0:
        raise AssertionError
    lead, seq = in_features.shape[:-2], in_features.shape[-2]
    if token_positions is None:
        token_positions = torch.arange(seq, device=in_features.device)
    positions = token_positions.reshape(*token_positions.shape[:-1], 1, seq)

    def heads(weight: Tensor) -> Tensor:
        return torch.matmul(in_features, weight.t()).reshape(*lead, seq, num_heads, d_head).transpose(-2, -3)

    q, k = (rope(d_head, theta, max_seq_len, heads(w), positions) for w in (q_proj_weight, k_proj_weight))
    mixed = scaled_dot_product_attention(q, k, heads(v_proj_weight))
    return torch.matmul(mixed.transpose(-2, -3).reshape(*lead, seq, d_model), o_proj_weight.t())
