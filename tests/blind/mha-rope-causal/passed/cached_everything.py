"""A right answer of the seventh corpus."""
import functools

import torch


@functools.cache
def causal(seq, device):
    return torch.tril(torch.ones((seq, seq), dtype=torch.bool, device=device))


@functools.cache
def frequencies(d_k, theta, device):
    return 1.0 / torch.pow(float(theta), torch.arange(0, d_k, 2, device=device, dtype=torch.float64) / d_k)


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    angles = torch.multiply(token_positions.unsqueeze(-1), frequencies(d_k, theta, in_query_or_key.device))
    z = torch.complex(angles.cos(), angles.sin())
    pairs = in_query_or_key.unflatten(-1, (d_k // 2, 2)).to(torch.float64)
    turned = torch.complex(pairs[..., 0], pairs[..., 1]) * z
    return torch.view_as_real(turned).flatten(-2).to(in_query_or_key.dtype)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = torch.einsum("...qd, ...kd -> ...qk", Q, K)
    scores = scores * (1 / Q.shape[-1] ** 0.5)
    if mask is not None:
        scores = torch.where(mask, scores, scores.new_tensor(float("-inf")))
    weights = torch.exp(scores - torch.logsumexp(scores, dim=-1, keepdim=True))
    return torch.einsum("...qk, ...kd -> ...qd", weights, V)


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
        raise ValueError("cannot split")
    if token_positions is None:
        token_positions = torch.arange(in_features.shape[-2], device=in_features.device)
    wq = q_proj_weight.reshape(num_heads, -1, d_model)
    wk = k_proj_weight.reshape(num_heads, -1, d_model)
    wv = v_proj_weight.reshape(num_heads, -1, d_model)
    wo = o_proj_weight.reshape(d_model, num_heads, -1)
    q = torch.einsum("...sm,hdm->...hsd", in_features, wq)
    k = torch.einsum("...sm,hdm->...hsd", in_features, wk)
    v = torch.einsum("...sm,hdm->...hsd", in_features, wv)
    token_positions = token_positions.unsqueeze(-2)
    q = rope(q.shape[-1], theta, max_seq_len, q, token_positions)
    k = rope(k.shape[-1], theta, max_seq_len, k, token_positions)
    z = scaled_dot_product_attention(q, k, v, causal(q.shape[-2], q.device))
    return torch.einsum("...hsd,ohd->...so", z, wo).reshape(in_features.shape)
