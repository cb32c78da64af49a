"""Without token_positions nothing is turned, as if positions were optional.

Shows when token_positions is left out and there are two or more tokens.
"""

import torch
from torch import Tensor

BLOCK = 16


def rope(d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor) -> Tensor:
    x = in_query_or_key
    # float32 is enough for float32 features, float64 features get float64 angles
    freqs = theta ** (-torch.arange(0, d_k, 2, dtype=x.dtype, device=x.device) / d_k)
    angles = token_positions.unsqueeze(-1).to(x.dtype) * freqs
    cos = torch.repeat_interleave(angles.cos(), 2, dim=-1)
    sin = torch.repeat_interleave(angles.sin(), 2, dim=-1)
    pairs = x.reshape(*x.shape[:-1], -1, 2)
    quarter_turn = torch.stack((-pairs[..., 1], pairs[..., 0]), dim=-1).reshape(x.shape)
    return x * cos + quarter_turn * sin


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Tensor:
    n_queries, n_keys = Q.shape[-2], K.shape[-2]
    if mask is not None:
        mask = mask.expand(*Q.shape[:-2], n_queries, n_keys)
    scale = Q.shape[-1] ** -0.5
    blocks = []
    for start in range(0, n_queries, BLOCK):
        rows = slice(start, start + BLOCK)
        scores = scale * (Q[..., rows, :] @ K.transpose(-2, -1))
        if mask is not None:
            scores = scores.masked_fill(~mask[..., rows, :], float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        blocks.append(weights @ V)
    return torch.cat(blocks, dim=-2)


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
    if num_heads < 1 or d_model % num_heads != 0:
        raise AssertionError(f"d_model={d_model} cannot be split into {num_heads} heads")
    size = d_model // num_heads
    leading, seq = in_features.shape[:-2], in_features.shape[-2]

    q = (in_features @ q_proj_weight.t()).reshape(leading + (seq, num_heads, size)).transpose(-3, -2)
    k = (in_features @ k_proj_weight.t()).reshape(leading + (seq, num_heads, size)).transpose(-3, -2)
    v = (in_features @ v_proj_weight.t()).reshape(leading + (seq, num_heads, size)).transpose(-3, -2)

    if token_positions is not None:
        positions = token_positions.unsqueeze(-2) if leading else token_positions.reshape(seq)
        q = rope(size, theta, max_seq_len, q, positions)
        k = rope(size, theta, max_seq_len, k, positions)

    index = torch.arange(seq, device=in_features.device)
    causal = index.unsqueeze(0) <= index.unsqueeze(1)
    y = scaled_dot_product_attention(q, k, v, causal)
    return y.transpose(-3, -2).reshape(leading + (seq, d_model)) @ o_proj_weight.t()
