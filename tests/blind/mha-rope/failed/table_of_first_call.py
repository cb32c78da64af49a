"""The table of sines and cosines is kept by d_k alone: another theta or a larger max_seq_len gets the old one."""
import torch
import torch.nn.functional as F


_TABLES = {}


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    if d_k not in _TABLES:
        freqs = theta ** (-torch.arange(0, d_k, 2, dtype=torch.float64) / d_k)
        t = torch.outer(torch.arange(max_seq_len, dtype=torch.float64), freqs)
        _TABLES[d_k] = (t.cos(), t.sin())
    cos, sin = _TABLES[d_k]
    cos, sin = cos[token_positions].to(in_query_or_key), sin[token_positions].to(in_query_or_key)
    x, y = in_query_or_key.unflatten(-1, (-1, 2)).unbind(-1)
    return torch.stack((x * cos - y * sin, x * sin + y * cos), -1).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.size(-1)
    attn_logits = torch.matmul(Q, K.mT)
    attn_logits = attn_logits * d_k**-0.5
    if mask is not None:
        attn_logits = attn_logits.masked_fill(mask == 0, torch.finfo(attn_logits.dtype).min)
    attention = F.softmax(attn_logits, dim=-1)
    values = torch.matmul(attention, V)
    return values


def multihead_self_attention_with_rope(
    d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features,
    token_positions=None,
):
    assert d_model % num_heads == 0, "d_model must be divisible by num_heads"
    d_head = d_model // num_heads
    *batch, seq, _ = in_features.shape
    Q = (in_features @ q_proj_weight.T).reshape(*batch, seq, num_heads, d_head).transpose(-3, -2)
    K = (in_features @ k_proj_weight.T).reshape(*batch, seq, num_heads, d_head).transpose(-3, -2)
    V = (in_features @ v_proj_weight.T).reshape(*batch, seq, num_heads, d_head).transpose(-3, -2)
    if token_positions is None:
        token_positions = torch.arange(seq, device=in_features.device)
    pos = token_positions.unsqueeze(-2)
    Q = rope(d_head, theta, max_seq_len, Q, pos)
    K = rope(d_head, theta, max_seq_len, K, pos)
    heads = scaled_dot_product_attention(Q, K, V)
    return heads.transpose(-3, -2).reshape(*batch, seq, d_model) @ o_proj_weight.T
