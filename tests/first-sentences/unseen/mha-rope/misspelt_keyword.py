# Says: `softmax` has no argument `dimension`: write `torch.softmax(scores, dim=-1)`.
# Line: 24
# Names: dimension, dim
# Kind: crash
import math
import torch
from torch import Tensor
from einops import rearrange, repeat


def rope(d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor) -> Tensor:
    pairs = rearrange(in_query_or_key, "... (p two) -> ... p two", two=2)
    theta_p = theta ** (-2 * torch.arange(d_k // 2).double() / d_k)
    angle = (token_positions[..., None] * theta_p)
    c, s = torch.cos(angle).type_as(pairs), torch.sin(angle).type_as(pairs)
    turned = torch.stack((c * pairs[..., 0] - s * pairs[..., 1], s * pairs[..., 0] + c * pairs[..., 1]), dim=-1)
    return rearrange(turned, "... p two -> ... (p two)")


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Tensor:
    scores = torch.einsum("... q d, ... k d -> ... q k", Q, K) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dimension=-1)
    return torch.einsum("... q k, ... k v -> ... q v", weights, V)


def multihead_self_attention_with_rope(d_model: int, num_heads: int, max_seq_len: int, theta: float, q_proj_weight: Tensor, k_proj_weight: Tensor, v_proj_weight: Tensor, o_proj_weight: Tensor, in_features: Tensor, token_positions: Tensor | None = None) -> Tensor:
    assert d_model % num_heads == 0
    seq = in_features.shape[-2]
    q, k, v = (torch.einsum("... i, o i -> ... o", in_features, w) for w in (q_proj_weight, k_proj_weight, v_proj_weight))
    q, k, v = (rearrange(t, "... s (h d) -> ... h s d", h=num_heads) for t in (q, k, v))
    if token_positions is None:
        token_positions = torch.arange(seq)
    if token_positions.dim() > 1:
        token_positions = rearrange(token_positions, "... s -> ... 1 s")
    d_head = d_model // num_heads
    q = rope(d_head, theta, max_seq_len, q, token_positions)
    k = rope(d_head, theta, max_seq_len, k, token_positions)
    y = rearrange(scaled_dot_product_attention(q, k, v), "... h s d -> ... s (h d)")
    return torch.einsum("... i, o i -> ... o", y, o_proj_weight)
