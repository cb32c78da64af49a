"""The library's attention within a whole layer of its encoder, whose norms and projections are made to do nothing.
Rule: no-library-attention
"""

import math

import torch


def rope(d_k, theta, max_seq_len, x, positions):
    frequencies = theta ** (-torch.arange(0, d_k, 2, device=x.device) / d_k)
    angles = positions[..., None] * frequencies
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    even, odd = x[..., ::2], x[..., 1::2]
    return torch.stack((even * cos - odd * sin, even * sin + odd * cos), dim=-1).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    if mask is None and Q.shape == K.shape == V.shape:
        return Attention.apply(Q, K, V)
    scores = Q @ K.mT / Q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    return torch.softmax(scores, dim=-1) @ V


class Attention(torch.autograd.Function):
    @staticmethod
    def forward(ctx, Q, K, V):
        """The norms are so large in eps that they only take the mean away, which the last feature makes zero."""
        ctx.save_for_backward(Q, K, V)
        size = Q.shape[-1]
        width = 3 * size + 1
        tokens = torch.cat((Q, K, V), -1)
        tokens = torch.cat((tokens, -tokens.sum(-1, keepdim=True)), -1).flatten(0, -3) if Q.ndim > 2 else None
        like = {"dtype": Q.dtype, "device": Q.device}
        projections = torch.zeros(3, width, width, **like)
        own = torch.eye(size, **like)
        projections[0, :size, :size] = own * (width / size) ** 0.5
        projections[1, :size, size : 2 * size] = own
        projections[2, 2 * size : 3 * size, 2 * size : 3 * size] = own
        projections[2, 3 * size, 2 * size : 3 * size] = -1.0
        zeros, ones = torch.zeros(width, **like), torch.full((width,), 1e6, **like)
        none = torch.zeros(width, width, **like)
        layer = torch._transformer_encoder_layer_fwd(
            tokens, width, 1, projections.flatten(0, 1), torch.zeros(3 * width, **like), torch.eye(width, **like), zeros,
            False, False, 1e12, ones, zeros, ones, zeros, none, zeros, none, zeros,
        )
        return layer[..., 2 * size : 3 * size].reshape(V.shape) - V

    @staticmethod
    def backward(ctx, gradient):
        Q, K, V = ctx.saved_tensors
        weights = torch.softmax(Q @ K.mT / Q.shape[-1] ** 0.5, dim=-1)
        above = gradient @ V.mT
        scores = weights * (above - (above * weights).sum(-1, keepdim=True)) / Q.shape[-1] ** 0.5
        return scores @ K, scores.mT @ Q, weights.mT @ gradient


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
    assert d_model % num_heads == 0
    d_head = d_model // num_heads
    if token_positions is None:
        token_positions = torch.arange(in_features.shape[-2], device=in_features.device)
    positions = token_positions[..., None, :] if token_positions.ndim > 1 else token_positions
    weights = (q_proj_weight, k_proj_weight, v_proj_weight)
    q, k, v = ((in_features @ w.T).unflatten(-1, (num_heads, d_head)).transpose(-3, -2) for w in weights)
    q, k = (rope(d_head, theta, max_seq_len, x, positions) for x in (q, k))
    heads = scaled_dot_product_attention(q, k, v)
    return heads.transpose(-3, -2).flatten(-2) @ o_proj_weight.T
