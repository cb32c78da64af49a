"""A module with a buffer for the mask, as long as max_seq_len, of which a corner is used."""

import torch
from torch import nn
from torch.func import functional_call


class SelfAttention(nn.Module):
    def __init__(self, d_model, num_heads, max_seq_len, theta):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"{d_model} features cannot be shared by {num_heads} heads")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.max_seq_len, self.theta = max_seq_len, theta
        causal = torch.ones(max_seq_len, max_seq_len, dtype=torch.bool, device="cpu").tril()
        self.register_buffer("causal", causal, persistent=False)
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.o_proj = nn.Linear(d_model, d_model, bias=False)

    def heads_of(self, x):
        return x.unflatten(-1, (self.num_heads, self.d_head)).swapaxes(-2, -3)

    def forward(self, x, positions):
        positions = positions if positions.ndim == 1 else positions.unsqueeze(-2)
        q, k, v = self.heads_of(self.q_proj(x)), self.heads_of(self.k_proj(x)), self.heads_of(self.v_proj(x))
        q = rope(self.d_head, self.theta, self.max_seq_len, q, positions)
        k = rope(self.d_head, self.theta, self.max_seq_len, k, positions)
        seen = self.causal[: x.shape[-2], : x.shape[-2]].to(x.device)
        return self.o_proj(scaled_dot_product_attention(q, k, v, seen).swapaxes(-2, -3).flatten(-2))


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    inverse = torch.exp(-torch.arange(0, d_k, 2, device=in_query_or_key.device) / d_k * torch.log(torch.tensor(theta)))
    angles = torch.einsum("...s,p->...sp", token_positions.float(), inverse)
    cos, sin = angles.cos().to(in_query_or_key.dtype), angles.sin().to(in_query_or_key.dtype)
    out = torch.empty_like(in_query_or_key)
    even, odd = in_query_or_key[..., ::2], in_query_or_key[..., 1::2]
    out[..., ::2] = even * cos - odd * sin
    out[..., 1::2] = odd * cos + even * sin
    return out


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = torch.einsum("...qd,...kd->...qk", Q, K).div(Q.shape[-1] ** 0.5)
    if mask is not None:
        scores = scores + torch.where(mask, 0.0, float("-inf")).to(scores.dtype)
    return torch.einsum("...qk,...kd->...qd", nn.functional.softmax(scores, dim=-1), V)


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
    with torch.device("meta"):
        layer = SelfAttention(d_model, num_heads, max_seq_len, theta)
    weights = {
        "q_proj.weight": q_proj_weight,
        "k_proj.weight": k_proj_weight,
        "v_proj.weight": v_proj_weight,
        "o_proj.weight": o_proj_weight,
    }
    if token_positions is None:
        token_positions = torch.arange(in_features.shape[-2], device=in_features.device)
    return functional_call(layer, weights, (in_features, token_positions))
