"""Hidden scores are set to 1e-9 instead of -1e9."""
import torch
import torch.nn.functional as F
from einops import einsum, rearrange


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = rearrange(in_query_or_key, "... (f two) -> ... f two", two=2)
    inv_freq = theta ** (-torch.arange(0, d_k, 2, dtype=torch.float64, device=x.device) / d_k)
    phase = einsum(token_positions.double(), inv_freq, "... s, f -> ... s f")
    c, s = phase.cos().to(x.dtype), phase.sin().to(x.dtype)
    rotated = torch.stack([x[..., 0] * c - x[..., 1] * s, x[..., 0] * s + x[..., 1] * c], dim=-1)
    return rearrange(rotated, "... f two -> ... (f two)")


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = torch.matmul(Q, K.transpose(-2, -1)) / Q.size(-1) ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask == 0, 1e-9)
    p_attn = scores.softmax(dim=-1)
    return torch.matmul(p_attn, V)


def _split_heads(x, num_heads):
    new_shape = x.shape[:-1] + (num_heads, x.shape[-1] // num_heads)
    return x.reshape(new_shape).transpose(-3, -2)


def _merge_heads(x):
    return x.transpose(-3, -2).flatten(start_dim=-2)


def multihead_self_attention_with_rope(
    d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features,
    token_positions=None,
):
    if d_model % num_heads != 0:
        raise ValueError(f"d_model={d_model} is not divisible by num_heads={num_heads}")
    head_dim = d_model // num_heads
    seq_len = in_features.size(-2)
    q = _split_heads(F.linear(in_features, q_proj_weight), num_heads)
    k = _split_heads(F.linear(in_features, k_proj_weight), num_heads)
    v = _split_heads(F.linear(in_features, v_proj_weight), num_heads)
    if token_positions is None:
        token_positions = torch.arange(0, seq_len, device=in_features.device)
    p = token_positions[..., None, :]
    q, k = rope(head_dim, theta, max_seq_len, q, p), rope(head_dim, theta, max_seq_len, k, p)
    future = torch.triu(torch.ones(seq_len, seq_len, device=q.device), diagonal=1).bool()
    merged = _merge_heads(scaled_dot_product_attention(q, k, v, ~future)).reshape(in_features.shape)
    return F.linear(merged, o_proj_weight)
