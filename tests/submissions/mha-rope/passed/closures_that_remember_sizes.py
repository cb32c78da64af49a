"""Functions that return functions: a rotator and a splitter."""

import math
import torch


def make_rotator(d_k, theta):
    rates = [theta ** (-2 * i / d_k) for i in range(d_k // 2)]

    def rotate(x, positions):
        angle = positions.unsqueeze(-1) * torch.tensor(rates, dtype=torch.float64)
        c, s = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        first, second = x[..., 0::2], x[..., 1::2]
        return torch.stack((c * first - s * second, s * first + c * second), dim=-1).flatten(start_dim=-2)

    return rotate


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    return make_rotator(d_k, theta)(in_query_or_key, token_positions)


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ V


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    assert d_model % num_heads == 0, (d_model, num_heads)

    def project_with(weight):
        def inner(x):
            return (x @ weight.T).unflatten(-1, (num_heads, d_model // num_heads)).transpose(-3, -2)
        return inner

    def rotated(x):
        return rope(d_model // num_heads, theta, max_seq_len, x, positions)

    positions = token_positions
    if positions is None:
        positions = torch.arange(in_features.shape[-2])
    positions = positions.unsqueeze(-2)
    to_q, to_k, to_v = map(project_with, (q_proj_weight, k_proj_weight, v_proj_weight))
    context = scaled_dot_product_attention(rotated(to_q(in_features)), rotated(to_k(in_features)), to_v(in_features))
    return context.transpose(-3, -2).flatten(-2) @ o_proj_weight.T
