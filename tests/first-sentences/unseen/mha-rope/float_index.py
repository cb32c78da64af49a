# Says: `cos_table[token_positions.float()]` indexes with floats, and an index has to be integer: leave out the `.float()`.
# Line: 16
# Names: token_positions, .float()
# Kind: crash
import torch
import math


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    dim = torch.arange(0, d_k, 2, dtype=torch.float64, device=in_query_or_key.device)
    freq = theta ** (-dim / d_k)
    t = torch.arange(max_seq_len, dtype=torch.float64, device=in_query_or_key.device)
    grid = t.unsqueeze(1) * freq.unsqueeze(0)
    cos_table = grid.cos().to(in_query_or_key.dtype)
    sin_table = grid.sin().to(in_query_or_key.dtype)
    cos = cos_table[token_positions.float()]
    sin = sin_table[token_positions.float()]
    x = in_query_or_key.reshape(*in_query_or_key.shape[:-1], d_k // 2, 2)
    y0 = x[..., 0] * cos - x[..., 1] * sin
    y1 = x[..., 0] * sin + x[..., 1] * cos
    return torch.stack((y0, y1), dim=-1).reshape(in_query_or_key.shape)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scale = 1 / math.sqrt(Q.shape[-1])
    scores = torch.matmul(Q, K.transpose(-2, -1)) * scale
    if mask is not None:
        scores.masked_fill_(~mask, float("-inf"))
    return torch.matmul(torch.softmax(scores, dim=-1), V)


def multihead_self_attention_with_rope(
    d_model, num_heads, max_seq_len, theta,
    q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight,
    in_features, token_positions=None
):
    assert d_model % num_heads == 0
    head = d_model // num_heads
    size = in_features.shape[:-1]
    q, k, v = ((in_features @ w.T).reshape(*size, num_heads, head).transpose(-3, -2)
               for w in (q_proj_weight, k_proj_weight, v_proj_weight))
    if token_positions is None:
        token_positions = torch.arange(size[-1], device=in_features.device)
    if token_positions.dim() > 1:
        token_positions = token_positions.unsqueeze(-2)
    q = rope(head, theta, max_seq_len, q, token_positions)
    k = rope(head, theta, max_seq_len, k, token_positions)
    o = scaled_dot_product_attention(q, k, v)
    return o.transpose(-3, -2).reshape(*size, d_model) @ o_proj_weight.T
