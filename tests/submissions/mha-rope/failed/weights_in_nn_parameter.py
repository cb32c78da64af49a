"""The weights are wrapped in nn.Parameter: copies without a past.
Diagnosis: detached-gradient
"""

import torch
import torch.nn.functional as F
from torch import nn


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    inv_freq = theta ** (-torch.arange(0, d_k, 2, device=x.device, dtype=torch.float32) / d_k)
    phase = token_positions.unsqueeze(-1).to(torch.float32) * inv_freq
    rotor = torch.polar(torch.ones_like(phase), phase)
    pairs = torch.view_as_complex(x.float().reshape(*x.shape[:-1], d_k // 2, 2))
    return torch.view_as_real(pairs * rotor).flatten(-2).to(x.dtype)


def scaled_dot_product_attention(Q, K, V, mask=None):
    logits = torch.einsum("...qd,...kd->...qk", Q, K) * (Q.shape[-1] ** -0.5)
    if mask is not None:
        logits = logits.masked_fill(~mask, -torch.inf)
    probs = F.softmax(logits, dim=-1)
    return torch.einsum("...qk,...kd->...qd", probs, V)


class Projection(nn.Module):
    def __init__(self, weight):
        super().__init__()
        self.weight = nn.Parameter(weight)

    def forward(self, x):
        return F.linear(x, self.weight)


class Attention(nn.Module):
    def __init__(self, d_model, num_heads, weights):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model % num_heads")
        self.num_heads = num_heads
        self.projections = nn.ModuleList(Projection(weight) for weight in weights)

    def forward(self, x, turn):
        q, k, v = [p(x).unflatten(-1, (self.num_heads, -1)).transpose(-3, -2) for p in self.projections[:3]]
        y = scaled_dot_product_attention(turn(q), turn(k), v)
        return self.projections[3](y.transpose(-3, -2).flatten(-2))


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    layer = Attention(d_model, num_heads, (q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight))
    if token_positions is None:
        token_positions = torch.arange(in_features.size(-2))
    return layer(in_features, lambda t: rope(d_model // num_heads, theta, max_seq_len, t, token_positions.unsqueeze(-2)))
