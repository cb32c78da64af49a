# Says: torch has no `torch.trill`, the lower triangle is `torch.tril` with one l.
# Line: 47
# Names: trill, torch.tril
# Kind: crash
import torch
from torch import Tensor, nn


def rope(d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor) -> Tensor:
    angle = token_positions.unsqueeze(-1) * theta ** (torch.arange(0, d_k, 2, dtype=torch.float64) / -d_k)
    cos, sin = torch.cos(angle).type_as(in_query_or_key), torch.sin(angle).type_as(in_query_or_key)
    x1, x2 = in_query_or_key.unflatten(-1, (-1, 2)).unbind(-1)
    return torch.stack((x1 * cos - x2 * sin, x2 * cos + x1 * sin), -1).flatten(-2)


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Tensor:
    scores = Q @ K.mT * K.shape[-1] ** -0.5
    if mask is not None:
        scores = torch.where(mask, scores, -torch.inf)
    return nn.functional.softmax(scores, dim=-1) @ V


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
        raise ValueError("num_heads must divide d_model")
    seq = in_features.shape[-2]
    if token_positions is None:
        token_positions = torch.arange(seq, device=in_features.device)
    if token_positions.ndim > 1:
        token_positions = token_positions.unsqueeze(-2)
    q, k, v = (
        nn.functional.linear(in_features, w).unflatten(-1, (num_heads, -1)).transpose(-3, -2)
        for w in (q_proj_weight, k_proj_weight, v_proj_weight)
    )
    q, k = (rope(d_model // num_heads, theta, max_seq_len, t, token_positions) for t in (q, k))
    causal = torch.trill(torch.ones(seq, seq, dtype=torch.bool, device=in_features.device))
    out = scaled_dot_product_attention(q, k, v, causal)
    return nn.functional.linear(out.transpose(-3, -2).flatten(-2), o_proj_weight)
