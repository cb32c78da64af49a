# Says: The line `num_heads = int(input("number of heads: "))` waits for somebody to type: nobody does when your file is graded, so use the parameter `num_heads`.
# Line: 50
# Names: input, num_heads
# Kind: crash
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


def multihead_self_attention_with_rope(
    d_model, num_heads, max_seq_len, theta,
    q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight,
    in_features, token_positions=None,
):
    assert d_model % num_heads == 0, "d_model must be divisible by num_heads"
    num_heads = int(input("number of heads: "))
    head_dim = d_model // num_heads
    lead = in_features.shape[:-1]

    queries = (in_features @ q_proj_weight.T).view(*lead, num_heads, head_dim)
    keys = (in_features @ k_proj_weight.T).view(*lead, num_heads, head_dim)
    values = (in_features @ v_proj_weight.T).view(*lead, num_heads, head_dim)

    queries = queries.transpose(-2, -3)
    keys = keys.transpose(-2, -3)
    values = values.transpose(-2, -3)

    if token_positions is None:
        token_positions = torch.arange(in_features.shape[-2], device=in_features.device)
    if token_positions.ndim > 1:
        token_positions = token_positions[..., None, :]

    queries = rope(head_dim, theta, max_seq_len, queries, token_positions)
    keys = rope(head_dim, theta, max_seq_len, keys, token_positions)

    context = scaled_dot_product_attention(queries, keys, values)
    context = context.transpose(-2, -3).contiguous().view(*lead, d_model)
    return context @ o_proj_weight.T
