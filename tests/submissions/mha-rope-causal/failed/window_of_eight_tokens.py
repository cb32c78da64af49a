"""A token sees itself and the seven before it.
Diagnosis: causal-mask
"""

import torch
import torch.nn.functional as F


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    *lead, seq, _ = in_query_or_key.shape
    inv = torch.pow(theta, -torch.arange(0, d_k, 2, device=in_query_or_key.device, dtype=torch.float32) / d_k)
    a = torch.einsum("...s,k->...sk", token_positions.float(), inv)
    rot = torch.stack([torch.stack([a.cos(), -a.sin()], -1), torch.stack([a.sin(), a.cos()], -1)], -2)
    pairs = in_query_or_key.reshape(*lead, seq, d_k // 2, 2)
    turned = (rot.to(pairs.dtype) @ pairs.unsqueeze(-1)).squeeze(-1)
    return turned.reshape(*lead, seq, d_k)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = torch.matmul(Q, K.mT) / Q.shape[-1] ** 0.5
    if mask is not None:
        scores = torch.where(mask, scores, torch.finfo(scores.dtype).min)
    weights = F.softmax(scores, dim=-1)
    return torch.matmul(weights, V)


def multihead_self_attention_with_rope(
    d_model, num_heads, max_seq_len, theta,
    q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight,
    in_features, token_positions=None,
):
    if d_model % num_heads != 0:
        raise ValueError(f"d_model={d_model} is not divisible by num_heads={num_heads}")
    head_dim = d_model // num_heads
    seq_len = in_features.size(-2)

    def split_heads(t):
        return t.unflatten(-1, (num_heads, head_dim)).movedim(-2, -3)

    Q = split_heads(F.linear(in_features, q_proj_weight))
    K = split_heads(F.linear(in_features, k_proj_weight))
    V = split_heads(F.linear(in_features, v_proj_weight))
    if token_positions is None:
        token_positions = torch.arange(seq_len, device=in_features.device, dtype=torch.long)
    rope_positions = token_positions[..., None, :]
    Q, K = (rope(head_dim, theta, max_seq_len, t, rope_positions) for t in (Q, K))
    i = torch.arange(seq_len, device=Q.device)
    context = scaled_dot_product_attention(Q, K, V, (i[:, None] >= i[None, :]) & (i[:, None] - i[None, :] < 8))
    return F.linear(context.movedim(-3, -2).flatten(-2), o_proj_weight)
