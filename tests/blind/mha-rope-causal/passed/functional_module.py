import math

import torch
from torch import nn
from torch.func import functional_call


class RoPE(nn.Module):
    def __init__(self, d_k, theta, max_seq_len):
        super().__init__()
        power = torch.arange(d_k // 2, dtype=torch.float64) * 2 / d_k
        angle = torch.outer(torch.arange(max_seq_len, dtype=torch.float64), float(theta) ** -power)
        self.register_buffer("turn", torch.polar(torch.ones_like(angle), angle), persistent=False)

    def forward(self, x, positions):
        z = torch.view_as_complex(x.to(torch.float64).reshape(*x.shape[:-1], -1, 2))
        return torch.view_as_real(z * self.turn[positions]).flatten(-2).to(x.dtype)


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    return RoPE(d_k, theta, max_seq_len)(in_query_or_key, token_positions)


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    scores = torch.einsum("...qd,...kd->...qk", Q, K) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(mask.logical_not(), -torch.inf)
    return torch.einsum("...qk,...kd->...qd", torch.softmax(scores, dim=-1), V)


class SelfAttention(nn.Module):
    """Has no weights of its own that count: functional_call brings the caller's."""

    def __init__(self, d_model, num_heads, max_seq_len, theta):
        super().__init__()
        assert d_model % num_heads == 0
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.max_seq_len, self.theta = max_seq_len, theta
        with torch.device("meta"):
            self.q_proj = nn.Linear(d_model, d_model, bias=False)
            self.k_proj = nn.Linear(d_model, d_model, bias=False)
            self.v_proj = nn.Linear(d_model, d_model, bias=False)
            self.o_proj = nn.Linear(d_model, d_model, bias=False)

    def split(self, t):
        return t.reshape(*t.shape[:-1], self.num_heads, self.d_head).transpose(-3, -2)

    def forward(self, x, positions):
        q, k, v = self.split(self.q_proj(x)), self.split(self.k_proj(x)), self.split(self.v_proj(x))
        q = rope(self.d_head, self.theta, self.max_seq_len, q, positions)
        k = rope(self.d_head, self.theta, self.max_seq_len, k, positions)
        seq = x.shape[-2]
        mask = torch.arange(seq)[None, :] <= torch.arange(seq)[:, None]
        y = scaled_dot_product_attention(q, k, v, mask)
        return self.o_proj(y.transpose(-3, -2).reshape(x.shape))


def multihead_self_attention_with_rope(
    d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None
):
    layer = SelfAttention(d_model, num_heads, max_seq_len, theta)
    if token_positions is None:
        token_positions = torch.arange(in_features.shape[-2], device=in_features.device)
    weights = {
        "q_proj.weight": q_proj_weight,
        "k_proj.weight": k_proj_weight,
        "v_proj.weight": v_proj_weight,
        "o_proj.weight": o_proj_weight,
    }
    return functional_call(layer, weights, (in_features, token_positions.unsqueeze(-2)))
