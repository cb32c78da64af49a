"""scaled_dot_product_attention takes a mask and does nothing with it."""

import torch
from einops import rearrange, repeat


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    i = torch.arange(d_k // 2, dtype=torch.float32, device=in_query_or_key.device)
    angle = token_positions.unsqueeze(-1) * theta ** (-2 * i / d_k)
    cos = repeat(torch.cos(angle), "... i -> ... (i two)", two=2).to(in_query_or_key.dtype)
    sin = repeat(torch.sin(angle), "... i -> ... (i two)", two=2).to(in_query_or_key.dtype)
    pairs = rearrange(in_query_or_key, "... (i two) -> ... i two", two=2)
    turned = rearrange(torch.stack([-pairs[..., 1], pairs[..., 0]], dim=-1), "... i two -> ... (i two)")
    return in_query_or_key * cos + turned * sin


def scaled_dot_product_attention(Q, K, V, mask=None):
    logits = Q @ rearrange(K, "... k d -> ... d k") / Q.shape[-1] ** 0.5
    if mask is not None:
        pass
    return logits.softmax(dim=-1) @ V


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
    if d_model % num_heads:
        raise ValueError("d_model must be divisible by num_heads")
    fused = torch.cat([q_proj_weight, k_proj_weight, v_proj_weight])
    q, k, v = rearrange(in_features @ fused.T, "... s (three h d) -> three ... h s d", three=3, h=num_heads)
    s = in_features.shape[-2]
    if token_positions is None:
        token_positions = torch.arange(s, device=in_features.device)
    token_positions = rearrange(token_positions, "... s -> ... 1 s")
    q = rope(d_model // num_heads, theta, max_seq_len, q, token_positions)
    k = rope(d_model // num_heads, theta, max_seq_len, k, token_positions)
    causal = ~torch.ones(s, s, dtype=torch.bool, device=in_features.device).triu(diagonal=1)
    heads = scaled_dot_product_attention(q, k, v, causal)
    return rearrange(heads, "... h s d -> ... s (h d)") @ o_proj_weight.T
