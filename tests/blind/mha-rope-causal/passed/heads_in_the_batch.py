"""Heads and batch share one axis, so that attention always sees three axes."""

import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    basis = theta ** (-2.0 * torch.arange(d_k // 2, device=x.device, dtype=torch.float64) / d_k)
    angle = torch.kron(token_positions.double().unsqueeze(-1) * basis, torch.ones(2, dtype=torch.float64, device=x.device))
    swap = torch.zeros(d_k, d_k, dtype=x.dtype, device=x.device)
    swap[range(1, d_k, 2), range(0, d_k, 2)] = -1.0
    swap[range(0, d_k, 2), range(1, d_k, 2)] = 1.0
    return x * angle.cos().to(x.dtype) + (x @ swap) * angle.sin().to(x.dtype)


def scaled_dot_product_attention(Q, K, V, mask=None):
    if Q.ndim == 3:
        bias = torch.zeros((), dtype=Q.dtype, device=Q.device)
        if mask is not None:
            bias = torch.where(mask, bias, torch.tensor(-torch.inf, dtype=Q.dtype, device=Q.device))
        bias = bias.expand(Q.shape[0], Q.shape[1], K.shape[1])
        return torch.baddbmm(bias, Q, K.mT, alpha=Q.shape[-1] ** -0.5).softmax(-1).bmm(V)
    lead = Q.shape[:-2]
    flat = [t.reshape(-1, *t.shape[-2:]) for t in (Q, K, V)]
    if mask is not None:
        mask = mask.expand(*lead, Q.shape[-2], K.shape[-2]).reshape(-1, Q.shape[-2], K.shape[-2])
    return scaled_dot_product_attention(*flat, mask).unflatten(0, lead)


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    if d_model % num_heads:
        raise AssertionError("d_model must be divisible by num_heads")
    d_head, seq = d_model // num_heads, in_features.shape[-2]
    x = in_features.reshape(-1, seq, d_model)
    fold = lambda t: t.reshape(len(x), seq, num_heads, d_head).transpose(1, 2).reshape(-1, seq, d_head)
    if token_positions is None:
        token_positions = torch.arange(seq, device=x.device)
    if token_positions.numel() > seq:
        token_positions = token_positions.reshape(-1, seq).repeat_interleave(num_heads, dim=0)
    else:
        token_positions = token_positions.reshape(seq)
    q = rope(d_head, theta, max_seq_len, fold(x @ q_proj_weight.T), token_positions)
    k = rope(d_head, theta, max_seq_len, fold(x @ k_proj_weight.T), token_positions)
    y = scaled_dot_product_attention(q, k, fold(x @ v_proj_weight.T), torch.ones(seq, seq, device=x.device).tril().bool())
    return (y.reshape(-1, num_heads, seq, d_head).transpose(1, 2).reshape(in_features.shape)) @ o_proj_weight.T
