"""An own class with the library's method name."""

import math
import functools

import numpy as np
import torch
import torch.nn.functional as F
from einops import einsum, rearrange, repeat
from torch import Tensor, nn


def rotate_every_two(x):
    x1, x2 = x[..., ::2], x[..., 1::2]
    return torch.stack((-x2, x1), dim=-1).reshape(x.shape)


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    steps = torch.arange(0, d_k, 2, dtype=torch.float32, device=x.device)
    inv = torch.exp(-math.log(theta) * steps / d_k)
    ang = torch.einsum("...s,f->...sf", token_positions.float(), inv)
    ang = ang.repeat_interleave(2, dim=-1)
    return x * torch.cos(ang).to(x.dtype) + rotate_every_two(x) * torch.sin(ang).to(x.dtype)


class Attention:
    @staticmethod
    def scaled_dot_product_attention(Q, K, V, mask=None):
        scores = Q @ K.mT / Q.shape[-1] ** 0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, -torch.inf)
        return scores.softmax(-1) @ V


def scaled_dot_product_attention(Q, K, V, mask=None):
    return Attention.scaled_dot_product_attention(Q, K, V, mask)


def multihead_self_attention_with_rope(
    d_model, num_heads, max_seq_len, theta,
    q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight,
    in_features, token_positions=None,
):
    assert d_model % num_heads == 0, "heads must divide the model"
    d_head = d_model // num_heads
    Q = einsum(in_features, q_proj_weight, "... s i, o i -> ... s o")
    K = einsum(in_features, k_proj_weight, "... s i, o i -> ... s o")
    V = einsum(in_features, v_proj_weight, "... s i, o i -> ... s o")
    Q = rearrange(Q, "... s (h d) -> ... h s d", h=num_heads)
    K = rearrange(K, "... s (h d) -> ... h s d", h=num_heads)
    V = rearrange(V, "... s (h d) -> ... h s d", h=num_heads)
    if token_positions is None:
        token_positions = torch.arange(in_features.shape[-2], device=in_features.device)
    token_positions = rearrange(token_positions, "... s -> ... 1 s")
    Q = rope(d_head, theta, max_seq_len, Q, token_positions)
    K = rope(d_head, theta, max_seq_len, K, token_positions)
    out = scaled_dot_product_attention(Q, K, V)
    out = rearrange(out, "... h s d -> ... s (h d)")
    return einsum(out, o_proj_weight, "... s i, o i -> ... s o")
