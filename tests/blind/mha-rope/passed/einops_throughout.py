"""Every change of shape is done with einops."""

import torch
from einops import einsum, rearrange, repeat


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    like = dict(dtype=torch.float64, device=in_query_or_key.device)
    freqs = torch.pow(torch.tensor(float(theta), **like), -torch.arange(0, d_k, 2, **like) / d_k)
    angles = einsum(token_positions.to(**like), freqs, "... , pair -> ... pair")
    cos = repeat(angles.cos(), "... pair -> ... (pair two)", two=2).to(in_query_or_key)
    sin = repeat(angles.sin(), "... pair -> ... (pair two)", two=2).to(in_query_or_key)
    first, second = rearrange(in_query_or_key, "... (pair two) -> two ... pair", two=2)
    quarter_turn = rearrange([-second, first], "two ... pair -> ... (pair two)")
    return in_query_or_key * cos + quarter_turn * sin


def scaled_dot_product_attention(Q, K, V, mask=None):
    scale = Q.shape[-1] ** -0.5
    scores = einsum(Q, K, "... q d, ... k d -> ... q k") * scale
    if mask is not None:
        scores = torch.where(mask, scores, torch.finfo(scores.dtype).min)
    probs = scores.softmax(dim=-1)
    return einsum(probs, V, "... q k, ... k v -> ... q v")


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
    assert d_model % num_heads == 0, "d_model must be a multiple of num_heads"
    x = in_features
    seq = x.shape[-2]
    q = einsum(x, q_proj_weight, "... s i, o i -> ... s o")
    k = einsum(x, k_proj_weight, "... s i, o i -> ... s o")
    v = einsum(x, v_proj_weight, "... s i, o i -> ... s o")
    q = rearrange(q, "... s (h d) -> ... h s d", h=num_heads)
    k = rearrange(k, "... s (h d) -> ... h s d", h=num_heads)
    v = rearrange(v, "... s (h d) -> ... h s d", h=num_heads)

    if token_positions is None:
        positions = torch.arange(seq, device=x.device)
    elif x.ndim == 2:
        positions = token_positions.reshape(seq)
    elif token_positions.ndim == 1:
        positions = token_positions
    else:
        positions = rearrange(token_positions, "... s -> ... 1 s")

    q = rope(d_model // num_heads, theta, max_seq_len, q, positions)
    k = rope(d_model // num_heads, theta, max_seq_len, k, positions)
    heads = scaled_dot_product_attention(q, k, v)
    merged = rearrange(heads, "... h s d -> ... s (h d)")
    return einsum(merged, o_proj_weight, "... s i, o i -> ... s o")
