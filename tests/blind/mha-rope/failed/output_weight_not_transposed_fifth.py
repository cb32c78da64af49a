"""Wrong: the last projection multiplies by o_proj_weight as stored."""
import torch
from torch import Tensor


def rope(d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor) -> Tensor:
    i = torch.arange(d_k // 2, device=in_query_or_key.device, dtype=in_query_or_key.dtype)
    inv_freq = theta ** (-2 * i / d_k)
    angle = token_positions[..., None].to(in_query_or_key.dtype) * inv_freq
    cos, sin = angle.cos(), angle.sin()
    even, odd = in_query_or_key[..., ::2], in_query_or_key[..., 1::2]
    return torch.stack((even * cos - odd * sin, even * sin + odd * cos), dim=-1).flatten(-2)


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Tensor:
    scores = torch.einsum("...qd,...kd->...qk", Q, K) * Q.shape[-1] ** -0.5
    if mask is not None:
        scores = torch.where(mask, scores, float("-inf"))
    return torch.einsum("...qk,...kv->...qv", scores.softmax(-1), V)


def multihead_self_attention_with_rope(
    d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight,
    in_features, token_positions=None,
):
    if d_model % num_heads:
        raise ValueError("num_heads has to divide d_model")
    seq, d_head = in_features.shape[-2], d_model // num_heads
    if token_positions is None:
        token_positions = torch.arange(seq, device=in_features.device)

    def heads(weight):
        return (in_features @ weight.T).unflatten(-1, (num_heads, d_head)).transpose(-3, -2)

    rotate = lambda t: rope(d_head, theta, max_seq_len, t, token_positions[..., None, :])
    out = scaled_dot_product_attention(rotate(heads(q_proj_weight)), rotate(heads(k_proj_weight)), heads(v_proj_weight))
    return out.transpose(-3, -2).flatten(-2) @ o_proj_weight
