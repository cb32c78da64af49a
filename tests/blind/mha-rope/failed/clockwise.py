"""The pairs are rotated clockwise: the signs of the sines are swapped."""
import torch
from einops import einsum, rearrange


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    freqs = theta ** (-torch.arange(0, d_k, 2, device=in_query_or_key.device, dtype=torch.float64) / d_k)
    a = token_positions.unsqueeze(-1) * freqs
    cos, sin = a.cos().to(in_query_or_key.dtype), a.sin().to(in_query_or_key.dtype)
    x1, x2 = in_query_or_key[..., ::2], in_query_or_key[..., 1::2]
    first = x1 * cos + x2 * sin
    second = -x1 * sin + x2 * cos
    return torch.stack((first, second), dim=-1).flatten(-2)


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
    if d_model % num_heads:
        raise ValueError("num_heads must divide d_model")
    seq_len = in_features.shape[-2]
    wqkv = torch.stack([q_proj_weight, k_proj_weight, v_proj_weight])
    qkv = einsum(in_features, wqkv, "... s i, three o i -> three ... s o")
    q, k, v = rearrange(qkv, "three ... s (h d) -> three ... h s d", h=num_heads)
    if token_positions is None:
        token_positions = torch.arange(seq_len, device=in_features.device)
    token_positions = rearrange(token_positions, "... s -> ... 1 s")
    q = rope(d_model // num_heads, theta, max_seq_len, q, token_positions)
    k = rope(d_model // num_heads, theta, max_seq_len, k, token_positions)
    out = scaled_dot_product_attention(q, k, v)
    out = rearrange(out, "... h s d -> ... s (h d)").reshape(in_features.shape)
    return einsum(out, o_proj_weight, "... s i, o i -> ... s o")
