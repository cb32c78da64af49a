# Says: You wrote a class `MultiHeadSelfAttentionWithRoPE`, but the exercise asks for a plain function `multihead_self_attention_with_rope` that gets the weights as arguments.
# Line: 25
# Names: MultiHeadSelfAttentionWithRoPE, multihead_self_attention_with_rope
# Kind: refused
import math
import torch
import torch.nn as nn


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    freqs = theta ** (-torch.arange(0, d_k, 2).double() / d_k)
    angles = token_positions.unsqueeze(-1) * freqs
    cos, sin = angles.cos().to(in_query_or_key.dtype), angles.sin().to(in_query_or_key.dtype)
    even, odd = in_query_or_key[..., 0::2], in_query_or_key[..., 1::2]
    return torch.stack((even * cos - odd * sin, even * sin + odd * cos), dim=-1).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.softmax(scores, dim=-1) @ V


class MultiHeadSelfAttentionWithRoPE(nn.Module):
    def __init__(self, d_model, num_heads, max_seq_len, theta):
        super().__init__()
        assert d_model % num_heads == 0
        self.d_model, self.num_heads, self.d_head = d_model, num_heads, d_model // num_heads
        self.max_seq_len, self.theta = max_seq_len, theta
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.o_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, token_positions=None):
        *lead, seq, _ = x.shape
        split = lambda t: t.reshape(*lead, seq, self.num_heads, self.d_head).transpose(-3, -2)
        q, k, v = split(self.q_proj(x)), split(self.k_proj(x)), split(self.v_proj(x))
        if token_positions is None:
            token_positions = torch.arange(seq, device=x.device)
        if token_positions.dim() > 1:
            token_positions = token_positions.unsqueeze(-2)
        q = rope(self.d_head, self.theta, self.max_seq_len, q, token_positions)
        k = rope(self.d_head, self.theta, self.max_seq_len, k, token_positions)
        out = scaled_dot_product_attention(q, k, v)
        return self.o_proj(out.transpose(-3, -2).reshape(*lead, seq, self.d_model))
