"""Right: no reshape of features; explicit 2x2 matrices on a block diagonal, and index tables for the heads."""
import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    even = torch.arange(0, d_k, 2, device=x.device)
    alpha = token_positions[..., None].double() * float(theta) ** (-even.double() / d_k)
    R = torch.zeros(*alpha.shape[:-1], d_k, d_k, dtype=x.dtype, device=x.device)
    R[..., even, even] = alpha.cos().to(x.dtype)
    R[..., even + 1, even + 1] = alpha.cos().to(x.dtype)
    R[..., even, even + 1] = -alpha.sin().to(x.dtype)
    R[..., even + 1, even] = alpha.sin().to(x.dtype)
    return (R @ x[..., None])[..., 0]


def scaled_dot_product_attention(Q, K, V, mask=None):
    S = Q @ K.mT / Q.shape[-1] ** 0.5
    if mask is not None:
        S = S + torch.where(mask, 0.0, -torch.inf).to(S.dtype)
    return S.softmax(-1) @ V


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
    if d_model % num_heads != 0:
        raise ValueError("num_heads has to divide d_model")
    d = d_model // num_heads
    idx = torch.add(torch.arange(0, d_model, d)[:, None], torch.arange(d)).to(in_features.device)  # (heads, d)
    x = in_features.unsqueeze(-3)
    q, k, v = (x @ W[idx].mT for W in (q_proj_weight, k_proj_weight, v_proj_weight))
    p = torch.arange(x.shape[-2], device=x.device) if token_positions is None else token_positions
    p = p.unsqueeze(-2)
    y = scaled_dot_product_attention(rope(d, theta, max_seq_len, q, p), rope(d, theta, max_seq_len, k, p), v)
    return (y @ o_proj_weight[:, idx].permute(1, 2, 0)).sum(-3)
