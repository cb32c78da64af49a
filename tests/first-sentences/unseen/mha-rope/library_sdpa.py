# Says: `F.scaled_dot_product_attention(Q, K, V, attn_mask=mask)` is the library's attention, which may not be used here: write out scores, softmax and the product with V yourself.
# Line: 18
# Names: F.scaled_dot_product_attention
# Kind: refused
import torch
import torch.nn.functional as F


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    inv = theta ** -(torch.arange(0, d_k, 2, dtype=torch.float64) / d_k)
    ang = token_positions[..., None] * inv
    c, s = ang.cos().to(in_query_or_key.dtype), ang.sin().to(in_query_or_key.dtype)
    e, o = in_query_or_key[..., 0::2], in_query_or_key[..., 1::2]
    return torch.stack((e * c - o * s, e * s + o * c), dim=-1).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    return F.scaled_dot_product_attention(Q, K, V, attn_mask=mask)


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight,
                                       v_proj_weight, o_proj_weight, in_features, token_positions=None):
    assert d_model % num_heads == 0
    T = in_features.shape[-2]
    q = F.linear(in_features, q_proj_weight).unflatten(-1, (num_heads, -1)).transpose(-3, -2)
    k = F.linear(in_features, k_proj_weight).unflatten(-1, (num_heads, -1)).transpose(-3, -2)
    v = F.linear(in_features, v_proj_weight).unflatten(-1, (num_heads, -1)).transpose(-3, -2)
    pos = torch.arange(T, device=in_features.device) if token_positions is None else token_positions
    pos = pos.unsqueeze(-2) if pos.dim() > 1 else pos
    q = rope(q.shape[-1], theta, max_seq_len, q, pos)
    k = rope(k.shape[-1], theta, max_seq_len, k, pos)
    y = scaled_dot_product_attention(q, k, v)
    return F.linear(y.transpose(-3, -2).flatten(-2), o_proj_weight)
