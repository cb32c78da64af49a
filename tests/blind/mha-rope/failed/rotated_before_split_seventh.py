"""RoPE is applied to whole tokens with d_model before the heads are split."""
import torch
from einops import einsum, rearrange


def _swap_pairs(x):
    return torch.stack((-x[..., 1::2], x[..., ::2]), dim=-1).flatten(-2)


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    i = torch.arange(d_k // 2, device=in_query_or_key.device, dtype=torch.float64)
    angle = token_positions[..., None] * float(theta) ** (-2 * i / d_k)
    angle = angle.repeat_interleave(2, dim=-1)
    cos, sin = angle.cos().type_as(in_query_or_key), angle.sin().type_as(in_query_or_key)
    return in_query_or_key * cos + _swap_pairs(in_query_or_key) * sin


def softmax(x, dim=-1):
    shifted = x - x.amax(dim=dim, keepdim=True)
    e = torch.exp(shifted)
    return e / e.sum(dim=dim, keepdim=True)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = einsum(Q, K, "... q d, ... k d -> ... q k") / K.shape[-1] ** 0.5
    if mask is not None:
        scores = torch.where(mask, scores, float("-inf"))
    return einsum(softmax(scores), V, "... q k, ... k d -> ... q d")


def multihead_self_attention_with_rope(
    d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features,
    token_positions=None,
):
    assert d_model % num_heads == 0
    seq = in_features.shape[-2]
    if token_positions is None:
        token_positions = torch.arange(seq, device=in_features.device)
    q = rope(d_model, theta, max_seq_len, in_features @ q_proj_weight.T, token_positions)
    k = rope(d_model, theta, max_seq_len, in_features @ k_proj_weight.T, token_positions)
    v = in_features @ v_proj_weight.T
    q, k, v = (t.unflatten(-1, (num_heads, d_model // num_heads)).transpose(-3, -2) for t in (q, k, v))
    out = scaled_dot_product_attention(q, k, v).transpose(-3, -2).flatten(-2)
    return out.reshape(in_features.shape) @ o_proj_weight.T
