"""Starts the triangle one too high.

Idea: The triangle starts one above the diagonal, so each token sees its successor.
Where: everywhere (except with one token)
"""

import math

import torch
import torch.nn.functional as F
from einops import einsum, rearrange


def _rotations(d_k, theta, positions):
    freq = theta ** (-2.0 * torch.arange(d_k // 2, dtype=torch.float64, device=positions.device) / d_k)
    angle = einsum(positions.double(), freq, "... s, p -> ... s p")
    c, s = torch.cos(angle), torch.sin(angle)
    return rearrange(torch.stack([c, -s, s, c], dim=-1), "... (i j) -> ... i j", i=2, j=2)


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    turn = _rotations(d_k, theta, token_positions).to(in_query_or_key.dtype)
    pairs = rearrange(in_query_or_key, "... s (p j) -> ... s p j", j=2)
    turned = (turn @ pairs.unsqueeze(-1)).squeeze(-1)
    return rearrange(turned, "... s p i -> ... s (p i)")


def scaled_dot_product_attention(Q, K, V, mask=None):
    scaled = Q / math.sqrt(K.shape[-1])
    scores = torch.matmul(scaled, K.swapaxes(-1, -2))
    if mask is not None:
        bias = torch.zeros(mask.shape, dtype=scores.dtype, device=scores.device)
        scores = scores + bias.masked_fill(mask == False, float("-inf"))  # noqa: E712
    return F.softmax(scores, dim=-1).matmul(V)


def multihead_self_attention_with_rope(
    d_model,
    num_heads,
    max_seq_len,
    theta,
    q_proj_weight,
    k_proj_weight,
    v_proj_weight,
    o_proj_weight,
    in_features,
    token_positions=None,
):
    assert d_model % num_heads == 0, "num_heads must divide d_model"
    d_head = d_model // num_heads
    *lead, seq, _ = in_features.shape

    def heads(weight):
        y = in_features @ weight.T
        return y.reshape(*lead, seq, num_heads, d_head).transpose(-3, -2)

    q, k, v = heads(q_proj_weight), heads(k_proj_weight), heads(v_proj_weight)

    if token_positions is None:
        token_positions = torch.arange(seq, device=in_features.device)
    if token_positions.dim() > 1:
        token_positions = token_positions.unsqueeze(-2)  # one axis for the heads
    q = rope(d_head, theta, max_seq_len, q, token_positions)
    k = rope(d_head, theta, max_seq_len, k, token_positions)

    causal = torch.ones(seq, seq, dtype=torch.bool, device=in_features.device).tril(diagonal=1)
    out = scaled_dot_product_attention(q, k, v, causal)
    return out.transpose(-3, -2).reshape(in_features.shape) @ o_proj_weight.T
