"""Wrong: the values are rotated as well."""
from itertools import product

import torch


def generator_of(d_k, like):
    J = like.new_zeros((d_k, d_k))
    for i in range(0, d_k, 2):
        J[i, i + 1] = -1
        J[i + 1, i] = 1
    return J


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    omega = torch.tensor([theta ** (-2 * (j // 2) / d_k) for j in range(d_k)], dtype=torch.float64, device=x.device)
    alpha = token_positions.unsqueeze(-1).to(torch.float64) * omega
    R = torch.diag_embed(alpha.cos()) + torch.diag_embed(alpha.sin()) @ generator_of(d_k, alpha)
    return torch.einsum("...ij,...j->...i", R.to(x.dtype), x)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) * (1 / Q.shape[-1]) ** 0.5
    if mask is None:
        mask = torch.ones((1, 1), dtype=torch.bool, device=Q.device)
    return torch.softmax(scores.masked_fill(~mask, float("-inf")), dim=-1) @ V


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    if d_model % num_heads:
        raise AssertionError("d_model must be divisible by num_heads")
    d_head = d_model // num_heads
    positions = range(in_features.shape[-2]) if token_positions is None else token_positions
    positions = torch.as_tensor(list(positions) if isinstance(positions, range) else positions, device=in_features.device)
    projected = []
    for weight, turn in zip((q_proj_weight, k_proj_weight, v_proj_weight), (True, True, True)):
        t = (in_features @ weight.mT).unflatten(-1, (-1, d_head)).transpose(-2, -3)
        projected.append(rope(d_head, theta, max_seq_len, t, positions.unsqueeze(-2)) if turn else t)
    return scaled_dot_product_attention(*projected).transpose(-2, -3).flatten(-2) @ o_proj_weight.mT
