"""A module whose weights are put in with torch.func.functional_call, which keeps the graph."""

import math
import torch
from torch import nn


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    freqs = 1.0 / (theta ** (torch.arange(0, d_k, 2, device=x.device).float() / d_k))
    angles = token_positions.to(x.device)[..., None].float() * freqs
    cos = angles.cos().to(x.dtype)
    sin = angles.sin().to(x.dtype)
    x_even = x[..., ::2]
    x_odd = x[..., 1::2]
    out_even = x_even * cos - x_odd * sin
    out_odd = x_even * sin + x_odd * cos
    return torch.stack([out_even, out_odd], dim=-1).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ V


class Block(nn.Module):
    def __init__(self, d_model, num_heads, max_seq_len, theta):
        super().__init__()
        assert d_model % num_heads == 0
        self.num_heads, self.d_head, self.theta, self.max_seq_len = num_heads, d_model // num_heads, theta, max_seq_len
        self.wq = nn.Linear(d_model, d_model, bias=False)
        self.wk = nn.Linear(d_model, d_model, bias=False)
        self.wv = nn.Linear(d_model, d_model, bias=False)
        self.wo = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, positions):
        q, k, v = (f(x).unflatten(-1, (self.num_heads, self.d_head)).transpose(-3, -2) for f in (self.wq, self.wk, self.wv))
        q = rope(self.d_head, self.theta, self.max_seq_len, q, positions)
        k = rope(self.d_head, self.theta, self.max_seq_len, k, positions)
        return self.wo(scaled_dot_product_attention(q, k, v).transpose(-3, -2).flatten(-2))


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    block = Block(d_model, num_heads, max_seq_len, theta)
    if token_positions is None:
        token_positions = torch.arange(in_features.shape[-2])
    weights = {"wq.weight": q_proj_weight, "wk.weight": k_proj_weight, "wv.weight": v_proj_weight, "wo.weight": o_proj_weight}
    return torch.func.functional_call(block, weights, (in_features, token_positions.unsqueeze(-2)))
