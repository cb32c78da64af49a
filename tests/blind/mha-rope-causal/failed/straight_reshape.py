"""Projections are reshaped straight to (..., heads, seq, d_head) without moving axes."""
import torch
import torch.nn.functional as F


def _swap_pairs(x):
    return torch.stack((-x[..., 1::2], x[..., ::2]), dim=-1).flatten(-2)


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    i = torch.arange(d_k // 2, device=in_query_or_key.device, dtype=torch.float64)
    angle = token_positions[..., None] * float(theta) ** (-2 * i / d_k)
    angle = angle.repeat_interleave(2, dim=-1)
    cos, sin = angle.cos().type_as(in_query_or_key), angle.sin().type_as(in_query_or_key)
    return in_query_or_key * cos + _swap_pairs(in_query_or_key) * sin


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
    if d_model % num_heads:
        raise ValueError("d_model must be divisible by num_heads")
    *lead, seq, _ = in_features.shape
    dk = d_model // num_heads

    def heads(w):
        return torch.matmul(in_features, w.T).reshape(*lead, num_heads, seq, dk)

    if token_positions is None:
        token_positions = torch.arange(seq, device=in_features.device)
    token_positions = token_positions.unsqueeze(-2)
    q = rope(dk, theta, max_seq_len, heads(q_proj_weight), token_positions)
    k = rope(dk, theta, max_seq_len, heads(k_proj_weight), token_positions)
    causal = torch.ones(seq, seq, device=q.device).tril().bool()
    z = scaled_dot_product_attention(q, k, heads(v_proj_weight), causal)
    return z.reshape(*lead, seq, d_model) @ o_proj_weight.T
