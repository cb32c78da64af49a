"""The norm by `normalize`, which divides vectors by their length, with eps as a feature of its own."""

import torch
from torch.nn.functional import linear, normalize, silu


def rms_norm(x, weight, eps):
    size = x.shape[-1]
    longer = torch.cat((x, torch.full_like(x[..., :1], (eps * size) ** 0.5)), dim=-1)
    shortened = normalize(longer, dim=-1, eps=1e-30)
    return shortened[..., :-1] * size**0.5 * weight


def rope(x, positions, theta):
    d_k = x.shape[-1]
    frequencies = 1.0 / theta ** (torch.arange(0, d_k, 2, device=x.device).double() / d_k)
    angles = positions.unsqueeze(-1) * frequencies
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    even, odd = x[..., ::2], x[..., 1::2]
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1).flatten(-2)


def attention(Q, K, V):
    seq = Q.shape[-2]
    mask = torch.tril(torch.ones(seq, seq, dtype=torch.bool, device=Q.device))
    scores = Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5
    return torch.softmax(scores.masked_fill(~mask, float("-inf")), dim=-1) @ V


def multihead(x, weights, num_heads, theta, positions):
    *leading, seq, d_model = x.shape

    def heads(weight):
        return linear(x, weight).reshape(*leading, seq, num_heads, d_model // num_heads).transpose(-3, -2)

    Q, K, V = (heads(weights[f"attn.{name}_proj.weight"]) for name in "qkv")
    positions = positions.unsqueeze(-2)
    out = attention(rope(Q, positions, theta), rope(K, positions, theta), V)
    return linear(out.transpose(-3, -2).reshape(*leading, seq, d_model), weights["attn.o_proj.weight"])


def swiglu(x, w1, w2, w3):
    return linear(silu(linear(x, w1)) * linear(x, w3), w2)


def transformer_block(x, weights, num_heads, max_seq_len, theta, token_positions=None, eps=1e-5):
    if token_positions is None:
        token_positions = torch.arange(x.shape[-2], device=x.device)
    x = x + multihead(rms_norm(x, weights["attn_norm.weight"], eps), weights, num_heads, theta, token_positions)
    ffn = (weights[f"ffn.w{i}.weight"] for i in (1, 2, 3))
    return x + swiglu(rms_norm(x, weights["ffn_norm.weight"], eps), *ffn)
