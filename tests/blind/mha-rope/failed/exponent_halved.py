"""The exponent is -i/d_k instead of -2i/d_k."""
import torch
import torch.nn.functional as F


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    half = d_k // 2
    x = in_query_or_key.reshape(*in_query_or_key.shape[:-1], half, 2)
    powers = torch.arange(half, dtype=torch.float64, device=x.device) / d_k
    ang = token_positions[..., None].double() / (theta**powers)
    cos, sin = ang.cos().to(x.dtype), ang.sin().to(x.dtype)
    y = torch.stack((x[..., 0] * cos - x[..., 1] * sin, x[..., 0] * sin + x[..., 1] * cos), dim=-1)
    return y.reshape(in_query_or_key.shape)


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.size(-1)
    attn_logits = torch.matmul(Q, K.mT)
    attn_logits = attn_logits * d_k**-0.5
    if mask is not None:
        attn_logits = attn_logits.masked_fill(mask == 0, torch.finfo(attn_logits.dtype).min)
    attention = F.softmax(attn_logits, dim=-1)
    values = torch.matmul(attention, V)
    return values


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
    merged = _merge_heads(scaled_dot_product_attention(q, k, v)).reshape(in_features.shape)
    return F.linear(merged, o_proj_weight)
