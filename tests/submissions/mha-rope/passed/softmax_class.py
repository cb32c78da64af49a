"""A Softmax class and a Linear class, called without state."""

import math
import torch
from einops import rearrange
from einops import einsum


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    inv_freq = theta ** (-torch.arange(0, d_k, 2, device=x.device, dtype=torch.float32) / d_k)
    phase = token_positions.unsqueeze(-1).to(torch.float32) * inv_freq
    rotor = torch.polar(torch.ones_like(phase), phase)
    pairs = torch.view_as_complex(x.float().reshape(*x.shape[:-1], d_k // 2, 2))
    return torch.view_as_real(pairs * rotor).flatten(-2).to(x.dtype)


class Softmax:
    def __init__(self, dim):
        self.dim = dim

    def __call__(self, x):
        shifted = x - torch.amax(x, dim=self.dim, keepdim=True)
        return shifted.exp() / shifted.exp().sum(dim=self.dim, keepdim=True)


class Linear:
    def __init__(self, weight):
        self.weight = weight

    def __call__(self, x):
        return einsum(x, self.weight, "... d_in, d_out d_in -> ... d_out")


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = einsum(Q, K, "... q d, ... k d -> ... q k") / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e9)
    return einsum(Softmax(-1)(scores), V, "... q k, ... k d -> ... q d")


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    if d_model % num_heads != 0:
        raise ValueError("heads")
    to_heads = "... s (h d) -> ... h s d"
    q = rearrange(Linear(q_proj_weight)(in_features), to_heads, h=num_heads)
    k = rearrange(Linear(k_proj_weight)(in_features), to_heads, h=num_heads)
    v = rearrange(Linear(v_proj_weight)(in_features), to_heads, h=num_heads)
    if token_positions is None:
        token_positions = torch.arange(q.shape[-2])
    token_positions = token_positions.unsqueeze(-2)
    q, k = (rope(q.shape[-1], theta, max_seq_len, t, token_positions) for t in (q, k))
    y = rearrange(scaled_dot_product_attention(q, k, v), "... h s d -> ... s (h d)")
    return Linear(o_proj_weight)(y)
