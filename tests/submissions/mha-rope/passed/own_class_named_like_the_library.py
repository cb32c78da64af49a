"""The student's own class is called MultiheadAttention and has a method scaled_dot_product_attention."""

import math
import torch


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


class MultiheadAttention:
    def __init__(self, num_heads, d_head, turn):
        self.num_heads, self.d_head, self.turn = num_heads, d_head, turn

    def scaled_dot_product_attention(self, q, k, v):
        return scaled_dot_product_attention(q, k, v)

    def multi_head_attention_forward(self, x, wq, wk, wv, wo):
        q, k, v = [(x @ w.T).unflatten(-1, (self.num_heads, self.d_head)).transpose(-3, -2) for w in (wq, wk, wv)]
        y = self.scaled_dot_product_attention(self.turn(q), self.turn(k), v)
        return y.transpose(-3, -2).flatten(-2) @ wo.T


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    assert d_model % num_heads == 0
    if token_positions is None:
        token_positions = torch.arange(in_features.shape[-2])
    d_head = d_model // num_heads
    turn = lambda t: rope(d_head, theta, max_seq_len, t, token_positions.unsqueeze(-2))
    attention = MultiheadAttention(num_heads, d_head, turn)
    return attention.multi_head_attention_forward(in_features, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight)
