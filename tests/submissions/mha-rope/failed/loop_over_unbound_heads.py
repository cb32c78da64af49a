"""zip over tensors unbound along the heads.
Rule: no-loop-over-heads
"""


import math
import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    freqs = 1.0 / (theta ** (torch.arange(0, d_k, 2, device=x.device).float() / d_k))
    angles = token_positions.to(x.device)[..., None].float() * freqs
    cos = angles.cos().to(x.dtype)
    sin = angles.sin().to(x.dtype)
    x_even = x[..., ::2]
    x_odd = x[..., 1::2]
    out_even = x_even * cos - x_odd * sin
    out_odd = x_even * sin + x_odd * cos
    return torch.stack([out_even, out_odd], dim=-1).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ V


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    assert d_model % num_heads == 0
    d_head = d_model // num_heads
    Q, K, V = in_features @ q_proj_weight.T, in_features @ k_proj_weight.T, in_features @ v_proj_weight.T
    if token_positions is None:
        token_positions = torch.arange(in_features.shape[-2])

    def one(q, k, v):
        q = rope(d_head, theta, max_seq_len, q, token_positions)
        k = rope(d_head, theta, max_seq_len, k, token_positions)
        return scaled_dot_product_attention(q, k, v)

    Q, K, V = (t.unflatten(-1, (num_heads, d_head)) for t in (Q, K, V))
    z = [one(q, k, v) for q, k, v in zip(Q.unbind(-2), K.unbind(-2), V.unbind(-2))]
    return torch.stack(z, dim=-2).flatten(-2) @ o_proj_weight.T
