"""A right answer of the seventh corpus."""
import torch
from torch import Tensor


def rope(d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor) -> Tensor:
    index = torch.arange(d_k, device=in_query_or_key.device) // 2
    angle = token_positions.double().unsqueeze(-1) * theta ** (-2.0 * index.double() / d_k)
    partner = in_query_or_key.unflatten(-1, (-1, 2)).flip(-1).flatten(-2)
    sign = torch.tensor([-1.0, 1.0], dtype=in_query_or_key.dtype, device=in_query_or_key.device).repeat(d_k // 2)
    return in_query_or_key * angle.cos().to(sign.dtype) + partner * sign * angle.sin().to(sign.dtype)


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Tensor:
    scores = Q.matmul(K.transpose(-2, -1)).div(Q.size(-1) ** 0.5)
    if mask is not None:
        scores = scores.masked_fill(mask.logical_not(), float("-inf"))
    return scores.softmax(dim=-1).matmul(V)


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
        raise ValueError(f"{num_heads=} must divide {d_model=}")
    if token_positions is None:
        token_positions = torch.arange(in_features.shape[-2], device=in_features.device)
    positions = token_positions.unsqueeze(-2)  # an axis for the heads
    visible = positions.unsqueeze(-1) >= positions.unsqueeze(-2)

    def project(weight: Tensor) -> Tensor:
        return (in_features @ weight.T).unflatten(-1, (num_heads, d_model // num_heads)).transpose(-3, -2)

    query = rope(d_model // num_heads, theta, max_seq_len, project(q_proj_weight), positions)
    key = rope(d_model // num_heads, theta, max_seq_len, project(k_proj_weight), positions)
    heads = scaled_dot_product_attention(query, key, project(v_proj_weight), visible)
    return heads.transpose(-3, -2).reshape(in_features.shape) @ o_proj_weight.T
