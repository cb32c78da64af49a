"""vmap over the sequences of the batch; partners found by roll."""

import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    is_even = (torch.arange(d_k, device=x.device) % 2) == 0
    partner = torch.where(is_even, -x.roll(-1, dims=-1), x.roll(1, dims=-1))
    pair_index = torch.arange(d_k, device=x.device) // 2
    angle = token_positions[..., None] * torch.pow(torch.tensor(float(theta), device=x.device), -2.0 * pair_index / d_k)
    return (x * torch.cos(angle) + partner * torch.sin(angle)).to(x.dtype)


def softmax(x, dim):
    x = x - x.max(dim=dim, keepdim=True).values
    e = torch.exp(x)
    return e / e.sum(dim=dim, keepdim=True)


def scaled_dot_product_attention(Q, K, V, mask=None):
    logits = torch.einsum("...qd,...kd->...qk", Q, K) * Q.shape[-1] ** -0.5
    if mask is not None:
        logits = torch.where(mask, logits, torch.tensor(-torch.inf, dtype=logits.dtype, device=logits.device))
    return torch.einsum("...qk,...kv->...qv", softmax(logits, -1), V)


def _single(x, pos, h, theta, n, wq, wk, wv, wo):
    d = x.shape[-1] // h
    q, k, v = ((x @ w.T).view(-1, h, d).transpose(0, 1) for w in (wq, wk, wv))
    q, k = rope(d, theta, n, q, pos), rope(d, theta, n, k, pos)
    return scaled_dot_product_attention(q, k, v).transpose(0, 1).flatten(1) @ wo.T


def multihead_self_attention_with_rope(
    d_model, num_heads, max_seq_len, theta,
    q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight,
    in_features, token_positions=None,
):
    if d_model % num_heads != 0:
        raise ValueError(f"d_model={d_model} is not divisible by num_heads={num_heads}")
    x = in_features.reshape(-1, *in_features.shape[-2:])
    if token_positions is None:
        token_positions = torch.arange(x.shape[-2], device=x.device)
    pos = token_positions.expand(in_features.shape[:-1]).reshape(x.shape[:-1])
    f = lambda xi, pi: _single(
        xi, pi, num_heads, theta, max_seq_len, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight
    )
    return torch.func.vmap(f)(x, pos).reshape(in_features.shape)
