"""Multi-head attention with RoPE in plain torch.

Wrong: in_features.view refuses views
Condition: in_features not contiguous, two leading axes
Spec: "need not be contiguous"
"""
from typing import Optional

import torch
from torch import Tensor


def rope(d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor) -> Tensor:
    k = torch.arange(d_k // 2, dtype=torch.float64, device=in_query_or_key.device)
    angles = token_positions.to(torch.float64).unsqueeze(-1) * torch.pow(float(theta), -2.0 * k / d_k)
    c = torch.cos(angles).type_as(in_query_or_key)
    s = torch.sin(angles).type_as(in_query_or_key)
    y = torch.zeros_like(in_query_or_key, memory_format=torch.contiguous_format)
    y[..., ::2] += in_query_or_key[..., ::2] * c
    y[..., ::2] -= in_query_or_key[..., 1::2] * s
    y[..., 1::2] += in_query_or_key[..., ::2] * s
    y[..., 1::2] += in_query_or_key[..., 1::2] * c
    return y


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Optional[Tensor] = None) -> Tensor:
    logits = torch.matmul(Q, K.swapaxes(-1, -2)).div(Q.shape[-1] ** 0.5)
    if mask is not None:
        bias = torch.zeros(mask.shape, dtype=logits.dtype, device=logits.device)
        logits = logits + bias.masked_fill_(~mask, -torch.inf)
    return torch.matmul(torch.log_softmax(logits, -1).exp(), V)


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
    token_positions: Optional[Tensor] = None,
    *,
    check: bool = True,
) -> Tensor:
    d_head, rest = divmod(d_model, num_heads)
    if rest:
        raise ValueError("d_model must be a multiple of num_heads")
    if check and in_features.shape[-1] != d_model:
        raise ValueError("d_model is not the width of in_features")
    if check and in_features.shape[-2] > max_seq_len:
        raise ValueError("sequence too long")
    *lead, seq, _ = in_features.shape
    flat = in_features.view(-1, seq, d_model)
    n = flat.shape[0]
    if token_positions is None:
        token_positions = torch.arange(seq, device=flat.device)
    if token_positions.dim() > 1 and token_positions.numel() > seq:
        token_positions = token_positions.reshape(n, 1, seq)
    else:
        token_positions = token_positions.reshape(seq)

    def heads(weight: Tensor) -> Tensor:
        return (flat @ weight.t()).view(n, seq, num_heads, d_head).transpose(1, 2)

    q, k, v = heads(q_proj_weight), heads(k_proj_weight), heads(v_proj_weight)
    q = rope(d_head, theta, max_seq_len, q, token_positions)
    k = rope(d_head, theta, max_seq_len, k, token_positions)
    y = scaled_dot_product_attention(q, k, v).transpose(1, 2).contiguous().view(n, seq, d_model)
    return (y @ o_proj_weight.t()).reshape(in_features.shape)
