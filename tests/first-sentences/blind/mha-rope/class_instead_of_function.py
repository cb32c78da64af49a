# Says: `multihead_self_attention_with_rope` is to be a function that takes the weights, but your file has a class `MultiHeadSelfAttentionWithRoPE` instead.
# Line: 44
# Names: multihead_self_attention_with_rope, MultiHeadSelfAttentionWithRoPE
# Kind: refused
import torch
import torch.nn as nn


class RotaryPositionalEmbedding(nn.Module):
    def __init__(self, theta, d_k, max_seq_len, device=None):
        super().__init__()
        k = torch.arange(0, d_k, 2, device=device, dtype=torch.float64)
        freq = 1 / theta ** (k / d_k)
        position = torch.arange(max_seq_len, device=device, dtype=torch.float64)
        table = torch.outer(position, freq)
        self.register_buffer("cos_cached", table.cos(), persistent=False)
        self.register_buffer("sin_cached", table.sin(), persistent=False)

    def forward(self, x, token_positions):
        cos = self.cos_cached[token_positions].to(x.dtype)
        sin = self.sin_cached[token_positions].to(x.dtype)
        x_even, x_odd = x[..., ::2], x[..., 1::2]
        y_even = cos * x_even - sin * x_odd
        y_odd = sin * x_even + cos * x_odd
        return torch.stack([y_even, y_odd], dim=-1).flatten(start_dim=-2)


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    layer = RotaryPositionalEmbedding(theta, d_k, max_seq_len, device=in_query_or_key.device)
    return layer(in_query_or_key, token_positions)


def scaled_dot_product_attention(Q, K, V, mask=None):
    d = Q.size(-1)
    logits = Q @ K.transpose(-1, -2)
    logits = logits / d**0.5
    if mask is not None:
        logits = logits.masked_fill(torch.logical_not(mask), float("-inf"))
    weights = nn.functional.softmax(logits, dim=-1)
    result = weights @ V
    return result


class MultiHeadSelfAttentionWithRoPE(nn.Module):
    def __init__(self, d_model, num_heads, max_seq_len, theta):
        super().__init__()
        assert d_model % num_heads == 0
        self.d_model, self.h, self.dh = d_model, num_heads, d_model // num_heads
        self.max_seq_len, self.theta = max_seq_len, theta
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.o_proj = nn.Linear(d_model, d_model, bias=False)

    def split(self, t):
        return t.unflatten(-1, (self.h, self.dh)).transpose(-3, -2)

    def forward(self, x, token_positions=None):
        if token_positions is None:
            token_positions = torch.arange(x.shape[-2], device=x.device)
        q, k, v = self.split(self.q_proj(x)), self.split(self.k_proj(x)), self.split(self.v_proj(x))
        q = rope(self.dh, self.theta, self.max_seq_len, q, token_positions)
        k = rope(self.dh, self.theta, self.max_seq_len, k, token_positions)
        y = scaled_dot_product_attention(q, k, v)
        return self.o_proj(y.transpose(-3, -2).flatten(-2))
