"""A backward pass of its own forgets an axis: no mistake of the bank raises that.
Says: Start with `scaled_dot_product_attention`
"""

import math

import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    frequencies = theta ** -(torch.arange(0, d_k, 2, device=in_query_or_key.device) / d_k)
    angles = token_positions[..., None] * frequencies
    even, odd = in_query_or_key[..., 0::2], in_query_or_key[..., 1::2]
    rotated = (even * angles.cos() - odd * angles.sin(), even * angles.sin() + odd * angles.cos())
    return torch.stack(rotated, dim=-1).flatten(-2)


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, scores):
        weights = torch.softmax(scores, dim=-1)
        ctx.save_for_backward(weights)
        return weights

    @staticmethod
    def backward(ctx, upstream):
        (weights,) = ctx.saved_tensors
        return (weights * (upstream - (weights * upstream).sum(dim=-1))).view(weights.shape[1:])


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask.bool(), float("-inf"))
    return Softmax.apply(scores) @ V


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
    if d_model % num_heads:
        raise ValueError("d_model must be divisible by num_heads")
    *leading, seq, _ = in_features.shape
    if token_positions is None:
        token_positions = torch.arange(seq, device=in_features.device)

    def heads(weight):
        return (in_features @ weight.T).unflatten(-1, (num_heads, -1)).transpose(-3, -2)

    q, k, v = heads(q_proj_weight), heads(k_proj_weight), heads(v_proj_weight)
    positions = token_positions.unsqueeze(-2)
    q = rope(d_model // num_heads, theta, max_seq_len, q, positions)
    k = rope(d_model // num_heads, theta, max_seq_len, k, positions)
    merged = scaled_dot_product_attention(q, k, v).transpose(-3, -2).reshape(*leading, seq, d_model)
    return merged @ o_proj_weight.T
