"""The parts are static methods; the entry points are thin functions that the main one calls too."""

import math
import torch


class ops:
    @staticmethod
    def turn(x, theta, p):
        n = x.shape[-1]
        a = p[..., None] * theta ** (-torch.arange(0, n, 2) / n)
        c, s = a.cos().to(x), a.sin().to(x)
        return torch.stack([x[..., ::2] * c - x[..., 1::2] * s, x[..., ::2] * s + x[..., 1::2] * c], -1).flatten(-2)

    @classmethod
    def attend(cls, q, k, v, mask=None):
        s = q @ k.mT / math.sqrt(q.shape[-1])
        return torch.softmax(s if mask is None else s.masked_fill(~mask, -math.inf), -1) @ v


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    return ops.turn(in_query_or_key, theta, token_positions)


def scaled_dot_product_attention(Q, K, V, mask=None):
    return ops.attend(Q, K, V, mask)


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    assert d_model % num_heads == 0, "bad heads"
    d_head = d_model // num_heads

    def heads_of(weight):
        return torch.einsum("...sm,hdm->...hsd", in_features, weight.view(num_heads, d_head, d_model))

    if token_positions is None:
        token_positions = torch.arange(in_features.shape[-2], device=in_features.device)
    where = token_positions.unsqueeze(-2)
    q = rope(d_head, theta, max_seq_len, heads_of(q_proj_weight), where)
    k = rope(d_head, theta, max_seq_len, heads_of(k_proj_weight), where)
    z = scaled_dot_product_attention(q, k, heads_of(v_proj_weight))
    return torch.einsum("...hsd,ohd->...so", z, o_proj_weight.reshape(d_model, num_heads, d_head))
