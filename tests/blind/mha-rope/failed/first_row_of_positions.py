"""Wrong: the positions of the first sequence serve for the whole batch."""
import torch
import torch.nn as nn
from einops import einsum, rearrange


class RotaryPositionalEmbedding(nn.Module):
    def __init__(self, theta: float, d_k: int, max_seq_len: int, device=None):
        super().__init__()
        freq = 1 / theta ** (torch.arange(0, d_k, 2, device=device, dtype=torch.float64) / d_k)
        table = einsum(torch.arange(max_seq_len, device=device, dtype=torch.float64), freq, "p, f -> p f")
        self.register_buffer("cos", table.cos(), persistent=False)
        self.register_buffer("sin", table.sin(), persistent=False)

    def forward(self, x, token_positions):
        cos, sin = self.cos[token_positions].to(x.dtype), self.sin[token_positions].to(x.dtype)
        x1, x2 = rearrange(x, "... (f two) -> two ... f", two=2)
        return rearrange([x1 * cos - x2 * sin, x1 * sin + x2 * cos], "two ... f -> ... (f two)")


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    return RotaryPositionalEmbedding(theta, d_k, max_seq_len, in_query_or_key.device)(in_query_or_key, token_positions)


def softmax(x, dim):
    x = x - x.amax(dim=dim, keepdim=True)
    return x.exp() / x.exp().sum(dim=dim, keepdim=True)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = einsum(Q, K, "... q d, ... k d -> ... q k") / Q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask.logical_not(), float("-inf"))
    return einsum(softmax(scores, -1), V, "... q k, ... k d -> ... q d")


class Linear(nn.Module):
    def __init__(self, weight):
        super().__init__()
        self.w = weight

    def forward(self, x):
        return einsum(x, self.w, "... i, o i -> ... o")


class MultiHeadSelfAttention(nn.Module):
    def __init__(self, d_model, num_heads, weights):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be divisible by num_heads")
        self.num_heads = num_heads
        self.q, self.k, self.v, self.o = map(Linear, weights)

    def forward(self, x, turn):
        q, k, v = (rearrange(f(x), "... s (h d) -> ... h s d", h=self.num_heads) for f in (self.q, self.k, self.v))
        return self.o(rearrange(scaled_dot_product_attention(turn(q), turn(k), v), "... h s d -> ... s (h d)"))


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    attention = MultiHeadSelfAttention(d_model, num_heads, (q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight))
    if token_positions is None:
        token_positions = torch.arange(in_features.shape[-2], device=in_features.device)
    positions = token_positions.reshape(-1, token_positions.shape[-1])[0]
    return attention(in_features, lambda t: rope(d_model // num_heads, theta, max_seq_len, t, positions))
