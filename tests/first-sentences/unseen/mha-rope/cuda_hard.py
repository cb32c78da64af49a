# Says: `cos = torch.cos(angles).cuda()` wants a GPU, which the grader's machine lacks; keep everything on `in_query_or_key.device` instead of calling `.cuda()`.
# Line: 12
# Names: .cuda()
# Kind: crash
import math
import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    freqs = theta ** (-torch.arange(0, d_k, 2).double() / d_k)
    angles = token_positions.unsqueeze(-1) * freqs
    cos = torch.cos(angles).cuda()
    sin = torch.sin(angles).cuda()
    x_even = in_query_or_key[..., 0::2]
    x_odd = in_query_or_key[..., 1::2]
    out = torch.zeros_like(in_query_or_key)
    out[..., 0::2] = x_even * cos - x_odd * sin
    out[..., 1::2] = x_even * sin + x_odd * cos
    return out


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = torch.matmul(Q, torch.transpose(K, -1, -2)) / math.sqrt(K.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    return torch.matmul(torch.softmax(scores, dim=-1), V)


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
    if d_model % num_heads != 0:
        raise ValueError("num_heads must divide d_model")
    d_head = d_model // num_heads
    shape = in_features.shape
    seq = shape[-2]
    q = torch.matmul(in_features, q_proj_weight.T).reshape(*shape[:-1], num_heads, d_head).transpose(-3, -2)
    k = torch.matmul(in_features, k_proj_weight.T).reshape(*shape[:-1], num_heads, d_head).transpose(-3, -2)
    v = torch.matmul(in_features, v_proj_weight.T).reshape(*shape[:-1], num_heads, d_head).transpose(-3, -2)
    if token_positions is None:
        token_positions = torch.arange(seq)
    if token_positions.dim() > 1:
        token_positions = token_positions.unsqueeze(-2)
    q = rope(d_head, theta, max_seq_len, q, token_positions)
    k = rope(d_head, theta, max_seq_len, k, token_positions)
    o = scaled_dot_product_attention(q, k, v)
    o = o.transpose(-3, -2).reshape(shape)
    return torch.matmul(o, o_proj_weight.T)
