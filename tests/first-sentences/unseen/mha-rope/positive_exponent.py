# Says: The frequencies in `theta ** (i / d_k)` have the wrong sign: the exponent is -2i/d_k, so later pairs have to turn more slowly, not faster.
# Line: 12
# Names: theta, sign, exponent
# Kind: wrong idea
import math

import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    i = torch.arange(0, d_k, 2, dtype=torch.float64)  # already 2i
    freq = theta ** (i / d_k)
    ang = token_positions.unsqueeze(-1) * freq
    rot = torch.polar(torch.ones_like(ang), ang)
    z = torch.view_as_complex(in_query_or_key.double().unflatten(-1, (-1, 2)).contiguous())
    return torch.view_as_real(z * rot).flatten(-2).to(in_query_or_key.dtype)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = torch.matmul(Q, K.mT) * (1 / math.sqrt(Q.shape[-1]))
    if mask is not None:
        scores = torch.where(mask, scores, float("-inf"))
    return torch.matmul(torch.softmax(scores, dim=-1), V)


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta,
                                       q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight,
                                       in_features, token_positions=None):
    assert d_model % num_heads == 0
    head_dim = d_model // num_heads
    *prefix, length, _ = in_features.shape
    q, k, v = [
        torch.nn.functional.linear(in_features, w).reshape(*prefix, length, num_heads, head_dim).transpose(-3, -2)
        for w in (q_proj_weight, k_proj_weight, v_proj_weight)
    ]
    if token_positions is None:
        token_positions = torch.arange(length, device=in_features.device)
    if token_positions.dim() > 1:
        token_positions = token_positions.unsqueeze(-2)
    q = rope(head_dim, theta, max_seq_len, q, token_positions)
    k = rope(head_dim, theta, max_seq_len, k, token_positions)
    o = scaled_dot_product_attention(q, k, v).transpose(-3, -2).reshape(*prefix, length, d_model)
    return torch.nn.functional.linear(o, o_proj_weight)
