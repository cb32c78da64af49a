import torch
from torch import nn


class RotaryPositionalEmbedding:
    """Tables for every position up to max_seq_len; each angle stands there twice."""

    def __init__(self, theta, d_k, max_seq_len):
        inverse = 1.0 / (theta ** (torch.arange(0, d_k, 2).double() / d_k))
        angles = torch.outer(torch.arange(max_seq_len).double(), inverse)
        self.cos = torch.repeat_interleave(angles.cos(), 2, dim=-1)
        self.sin = torch.repeat_interleave(angles.sin(), 2, dim=-1)

    @staticmethod
    def quarter_turn(x):
        """(a, b, c, d) -> (-b, a, -d, c)"""
        return torch.stack([-x[..., 1::2], x[..., ::2]], dim=-1).reshape(x.shape)

    def __call__(self, x, positions):
        cos = self.cos[positions].to(x.dtype)
        sin = self.sin[positions].to(x.dtype)
        return x * cos + self.quarter_turn(x) * sin


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    return RotaryPositionalEmbedding(theta, d_k, max_seq_len)(in_query_or_key, token_positions)


def scaled_dot_product_attention(Q, K, V, mask=None, *, scale=None):
    scale = Q.size(-1) ** -0.5 if scale is None else scale
    s = torch.matmul(Q * scale, K.mT)
    if mask is not None:
        bias = torch.zeros(mask.shape, dtype=s.dtype, device=s.device).masked_fill_(mask.logical_not(), -torch.inf)
        s = s + bias
    return nn.functional.softmax(s, -1).matmul(V)


class MultiHead:
    def __init__(self, d_model, num_heads, max_seq_len, theta, weights):
        if d_model % num_heads != 0:
            raise ValueError("heads must divide d_model")
        self.n, self.d = num_heads, d_model // num_heads
        self.len, self.theta = max_seq_len, theta
        self.wq, self.wk, self.wv, self.wo = weights

    def heads(self, x, w):
        return nn.functional.linear(x, w).unflatten(-1, (self.n, self.d)).movedim(-2, -3)

    def __call__(self, x, positions):
        q, k, v = self.heads(x, self.wq), self.heads(x, self.wk), self.heads(x, self.wv)
        q = rope(self.d, self.theta, self.len, q, positions)
        k = rope(self.d, self.theta, self.len, k, positions)
        seq = x.shape[-2]
        hide = torch.triu(torch.ones((seq, seq), device=x.device), diagonal=1)
        y = scaled_dot_product_attention(q, k, v, hide == 0)
        y = y.movedim(-3, -2).reshape(*x.shape[:-1], self.n * self.d)
        return nn.functional.linear(y, self.wo)


def multihead_self_attention_with_rope(
    d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None
):
    if token_positions is None:
        token_positions = torch.arange(in_features.shape[-2], device=in_features.device)
    # one more axis, for the heads
    positions = token_positions[..., None, :]
    layer = MultiHead(d_model, num_heads, max_seq_len, theta, (q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight))
    return layer(in_features, positions)
