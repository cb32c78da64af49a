# Says: The mask `torch.tril(torch.ones(max_seq_len, max_seq_len))` is as large as `max_seq_len`, but the scores are only (seq, seq): make it with `seq`.
# Line: 46
# Names: max_seq_len, seq
# Kind: crash
import math
import torch
from torch import Tensor


def rope(d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor) -> Tensor:
    inv_freq = 1.0 / (theta ** (torch.arange(0, d_k, 2, dtype=torch.float64) / d_k))
    freqs = token_positions.unsqueeze(-1) * inv_freq
    cos = freqs.cos().to(in_query_or_key.dtype)
    sin = freqs.sin().to(in_query_or_key.dtype)
    x1 = in_query_or_key[..., 0::2]
    x2 = in_query_or_key[..., 1::2]
    return torch.stack([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1).flatten(-2)


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Tensor:
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.softmax(scores, dim=-1) @ V


def multihead_self_attention_with_rope(
    d_model: int, num_heads: int, max_seq_len: int, theta: float,
    q_proj_weight: Tensor, k_proj_weight: Tensor, v_proj_weight: Tensor, o_proj_weight: Tensor,
    in_features: Tensor, token_positions: Tensor | None = None,
) -> Tensor:
    if d_model % num_heads != 0:
        raise ValueError("num_heads has to divide d_model")
    d_head = d_model // num_heads
    *batch, seq, _ = in_features.shape
    shape = (*batch, seq, num_heads, d_head)
    Q = (in_features @ q_proj_weight.T).reshape(shape).transpose(-3, -2)
    K = (in_features @ k_proj_weight.T).reshape(shape).transpose(-3, -2)
    V = (in_features @ v_proj_weight.T).reshape(shape).transpose(-3, -2)
    if token_positions is None:
        token_positions = torch.arange(seq)
    if token_positions.dim() > 1:
        token_positions = token_positions.unsqueeze(-2)
    Q = rope(d_head, theta, max_seq_len, Q, token_positions)
    K = rope(d_head, theta, max_seq_len, K, token_positions)
    mask = torch.tril(torch.ones(max_seq_len, max_seq_len, dtype=torch.bool))
    out = scaled_dot_product_attention(Q, K, V, mask)
    return out.transpose(-3, -2).reshape(*batch, seq, d_model) @ o_proj_weight.T
