"""A right answer of the seventh corpus."""
import math

import torch


def rotate_half(x):
    x1 = x[..., : x.shape[-1] // 2]
    x2 = x[..., x.shape[-1] // 2 :]
    return torch.cat((-x2, x1), dim=-1)


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    inv_freq = 1.0 / (theta ** (torch.arange(0, d_k, 2, dtype=torch.float64, device=in_query_or_key.device) / d_k))
    angle = token_positions[..., None] * inv_freq
    emb = torch.cat((angle, angle), dim=-1)
    cos, sin = emb.cos().to(in_query_or_key.dtype), emb.sin().to(in_query_or_key.dtype)

    # NeoX pairs (i, i + d/2); the exercise pairs (2i, 2i + 1): even channels first, odd ones after them
    order = torch.cat((torch.arange(0, d_k, 2), torch.arange(1, d_k, 2))).to(in_query_or_key.device)
    back = torch.argsort(order)
    half = in_query_or_key.index_select(-1, order)
    turned = half * cos + rotate_half(half) * sin
    return turned.index_select(-1, back)


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.size(-1)
    scores = Q @ K.mT * (1 / math.sqrt(d_k))
    if mask is not None:
        scores = torch.where(mask, scores, torch.finfo(scores.dtype).min)
    return scores.softmax(dim=-1) @ V


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
    assert d_model % num_heads == 0
    d_head = d_model // num_heads

    def split(t):
        return t.unflatten(-1, (num_heads, d_head)).transpose(-3, -2)

    q = split(in_features @ q_proj_weight.T)
    k = split(in_features @ k_proj_weight.T)
    v = split(in_features @ v_proj_weight.T)
    if token_positions is None:
        token_positions = torch.arange(in_features.size(-2), device=in_features.device)
    token_positions = token_positions.unsqueeze(-2)
    q = rope(d_head, theta, max_seq_len, q, token_positions)
    k = rope(d_head, theta, max_seq_len, k, token_positions)
    out = scaled_dot_product_attention(q, k, v)
    return out.transpose(-3, -2).reshape(in_features.shape) @ o_proj_weight.T
